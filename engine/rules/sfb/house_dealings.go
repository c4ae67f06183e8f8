package sfb

// houseDealings is what the house rules say of tractor beams, cloaks, boarding and repair.
func (b *Book) houseDealings() {
	b.TractorRange = 1
	b.Cites[onTractor] = []string{"house 71.61", "house 71.8"}
	b.Boarding = boardingData{
		Range: 5, Uses: 5, Fierce: []string{"gorn", "kzinti"},
		Raids: [6]raidResult{{Lost: true, Back: true}, {Lost: true}, {}, {}, {}, {Back: true}},
		Casualties: [6][10]int{
			{0, 0, 0, 0, 1, 1, 1, 1, 1, 1},
			{0, 0, 1, 1, 1, 1, 1, 2, 2, 2},
			{0, 1, 1, 1, 2, 2, 2, 2, 3, 3},
			{0, 1, 1, 2, 2, 2, 3, 3, 4, 4},
			{1, 1, 2, 2, 3, 3, 4, 4, 5, 5},
			{1, 1, 2, 2, 3, 4, 4, 5, 5, 6},
		},
	}
	b.Cites[onBoarding] = []string{"house 33.6", "house 33.91"}
	b.Sources = append(b.Sources, "transporters, raids and casualties of boarding by the current edition's client data: high for that edition, medium for that of 1979; one party a box and turn, and the dropped shield: rulings (low)")
	b.Controls = true
	b.Research = researchData{Range: 10, Lab: 11, Life: 24, Pace: 1, Hold: 10, Hits: 6}
	b.Cites[onResearch] = []string{"house 14.1", "house 14.3", "house 14.4", "house 27.41", "house 6.03b"}
	b.Sources = append(b.Sources, "points of a laboratory by the current edition's client data and the Cadet handbook's modules (high for those); what destroys a shuttle: a ruling (low)")
	b.Rigging = riggingData{Energy: 2, Mends: 2, Blows: 6}
	b.Cites[onRigging] = []string{"house 30.6", "house 30.7", "house 30.9"}
	b.Engines = "orion"
	b.Cites[onEngines] = []string{"house 30.91"}
	b.Sources = append(b.Sources, "what overloaded warp engines give, twice their energy, and lose, a box of each as the turn ends, by a public Java program of a later edition: low")
	b.Docs["repair"] = "Mend boxes of shields at the end of the turn: 2 energy each. All repairs of a turn together take as much as damage control allows."
	b.Sources = append(b.Sources, "energy of repairs by the number of damage control, shield boxes for 2, by the Cadet handbook's form and the current edition: high for that edition, medium here")
	b.Cloak = cloakData{Times: 1, More: 5, Hides: true}
	b.Cites[onCloak] = []string{"house 41.7", "house 41.71"}
	b.Docs["cloak"] = "Pay for the cloak in this turn, the energy that the sheet tells. The order of a phase switches it: cloak on."
}
