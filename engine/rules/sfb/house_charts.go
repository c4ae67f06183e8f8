package sfb

// houseCharts are what weapons do by the house rules: where those are silent, the charts of
// the current edition's client data.
func houseCharts() map[Kind]fireChart {
	return map[Kind]fireChart{
		Phaser1: {Touches: true, Rows: phaserRows(phaserRow{0, "987654"}, phaserRow{1, "875444"}, phaserRow{2, "765443"}, phaserRow{3, "654443"},
			phaserRow{4, "554432"}, phaserRow{5, "544332"}, phaserRow{8, "433210"}, phaserRow{15, "321000"}, phaserRow{25, "210000"}, phaserRow{50, "110000"}, phaserRow{75, "100000"})},
		Phaser2: {Touches: true, Rows: phaserRows(phaserRow{0, "666555"}, phaserRow{1, "554443"}, phaserRow{2, "544433"}, phaserRow{3, "444333"},
			phaserRow{8, "321100"}, phaserRow{15, "211000"}, phaserRow{30, "110000"}, phaserRow{50, "100000"})},
		Phaser3: {Touches: true, Rows: phaserRows(phaserRow{0, "444443"}, phaserRow{1, "444433"}, phaserRow{2, "444321"}, phaserRow{3, "321000"},
			phaserRow{8, "110000"}, phaserRow{15, "100000"})},
		Phaser4: {Touches: true, Rows: []row{
			{Upto: 3, ByDie: [6]int{20, 20, 20, 20, 15, 15}},
			{Upto: 5, ByDie: [6]int{20, 20, 15, 15, 12, 10}},
			{Upto: 6, ByDie: [6]int{20, 15, 12, 11, 10, 9}},
			{Upto: 7, ByDie: [6]int{15, 12, 11, 10, 9, 8}},
			{Upto: 8, ByDie: [6]int{12, 11, 10, 9, 8, 7}},
			{Upto: 9, ByDie: [6]int{10, 9, 8, 8, 7, 6}},
			{Upto: 10, ByDie: [6]int{8, 8, 7, 6, 5, 5}},
			{Upto: 13, ByDie: [6]int{6, 6, 5, 4, 3, 3}},
			{Upto: 17, ByDie: [6]int{5, 4, 4, 3, 2, 1}},
			{Upto: 25, ByDie: [6]int{4, 3, 2, 1}},
			{Upto: 40, ByDie: [6]int{3, 2, 1}},
			{Upto: 70, ByDie: [6]int{2, 1}},
			{Upto: 100, ByDie: [6]int{1}},
		}},
		Photon: {Energy: 2, Warp: true, Turns: 2, Keeps: true, Hold: 1, Small: 2, Rows: []row{
			{Upto: 1}, {Upto: 2, Need: 5, Points: 8}, {Upto: 4, Need: 4, Points: 8}, {Upto: 8, Need: 3, Points: 8}, {Upto: 12, Need: 2, Points: 8}, {Upto: 30, Need: 1, Points: 8},
		}},
		Disruptor: {Energy: 2, Turns: 1, Small: 2, Rows: []row{
			{Upto: 1, Need: 5, Points: 5},
			{Upto: 2, Need: 5, Points: 4},
			{Upto: 4, Need: 4, Points: 4},
			{Upto: 15, Need: 4, Points: 3},
			{Upto: 22, Need: 3, Points: 2},
			{Upto: 30, Need: 2, Points: 2},
			{Upto: 40, Need: 2, Points: 1},
		}},
	}
}
