// Package fasa plays starship battles by the rule books of one family: power is allotted
// once a turn, and ships move, fire and repower their shields phase by phase. The
// books are the Basic, the Advanced and the Graduate Course and Command & Control
// (stcs-basic, stcs-advanced, stcs-graduate, stcs-command), each of which extends the one
// before, and Book One (book-one).
//
// A book is a value, [rulebook.Book]: its sequence of events, what its weapons and hits do, its
// parts. No code asks which book is played. A book adds a [part] (sensors, the cloak,
// repair), a [rulebook.Stage] of its sequence, or an entry in one of its tables of
// functions; a part brings its own share of a ship's state and of a turn's orders.
// Family lists the books for the program. There is no game master: what players would
// settle at a table is a ruling.
//
// Invariants: a rule of one book never affects another (checksums in testdata cover whole
// battles of each book); rulebook.Rules.Show decides who sees what a ship does openly, so
// that hidden ships stay hidden; whatever must outlast a turn is kept in the game, not in
// the notes of the turn.
//
// # Packages
//
// This package assembles the books and lists them for the program. Their building blocks are
// in the packages below, each of which imports only packages listed above it:
//
//	tables    printed tables: designs, weapons, charts
//	ship      a ship's state, and the events that change her
//	board     the map: movement words, routes, terrain
//	words     names of dice, and words that newcomers use
//	cites     the topics of the books, and the paragraph of each
//	robot     the orders of robots
//	rulebook  a book as a value, rules that need no turn, and plans made of order sets
//	verbs     the orders that captains may write, verb by verb
//	play      the phases of a turn
//	crew      what people aboard add to them
//	forecast  mistakes in an order set, and what each line would do
//	tell      reports, panels, maps and sentences
//
// Here: the books (book_one.go basic.go advanced.go command.go), their parts (parts_*.go),
// what parts add to the orders of robots (robot_parts.go robot_posts.go first_orders.go),
// a book as a rule set (rules.go), campaigns (campaign.go).
//
// # Citations
//
// Citations "stcs N.M" number the rules by subject. Basic Course:
//
//	1 set-up (1.1 scenario, 1.2 map)
//	2 sequence of events (2.1 power, 2.2 advantage, 2.3 movement,
//	2.4 fire, 2.5 repowering, 2.6 end of turn, 2.7 end of game)
//	3 power and movement (3.1 total, 3.2 to movement, 3.3 to shields, 3.4 to
//	weapons, 3.5 valid movements, 3.6 movement per phase, 3.7 warp speeds)
//	4 fire (4.1 declaring, 4.2 arcs, 4.3 to hit, 4.4 banks, 4.5 shield struck,
//	4.6 shields and damage, 4.7 location, 4.8 shield generators, 4.9 weapons,
//	4.10 engines, 4.11 superstructure, 4.12 sensors, 4.13 damage from banks,
//	4.14 repowering)
//
// Advanced Course:
//
//	5 set-up (5.1 scenario, 5.2 panels, 5.3 combat efficiency, 5.4 the board)
//	6 sequence of events (6.1 power, 6.2 advantage, 6.3 sensors, 6.4 movement,
//	6.5 fire, 6.6 repair and repowering, 6.7 end)
//	7 sensors (7.1 lock, 7.2 automatic information, 7.3 questions, 7.4 loss of a
//	lock, 7.5 damaged sensors, 7.6 shadows, 7.7 what firing tells)
//	8 movement (8.1 reverse, 8.2 emergency and 8.3 tactical heading changes,
//	8.4 evading, 8.5 warp speeds, 8.6 planets and moons, 8.7 asteroids)
//	9 fire (9.1 dividing damage, 9.2 plasma bolts, 9.3 evading them, 9.4 their
//	damage, 9.5 when ships explode, 9.6 damage from explosions, 9.7 chains,
//	9.8 self-destruction)
//	10 equipment (10.1 minefields, 10.2 mines, 10.3 their damage, 10.4 operating a
//	cloak, 10.5 what a cloaked ship may not, 10.6 detection, 10.7 keeping and
//	losing a lock on it, 10.8 fire at it)
//	11 repair (11.1 tracks, 11.2 procedure, 11.3 waiting, 11.4 intensified efforts)
//	12 captains and crews (12.1 skill, 12.2 efficiency, 12.3 performance bonus,
//	12.4 campaigns, 12.5 victory points, 12.6 several victors, 12.7 dividing and
//	12.8 using points, 12.9 rescues)
//
// Graduate Course:
//
//	13 stress (13.1 automatic, 13.2 additional)
//	14 fire (14.1 slim chances, 14.2 lasers, 14.3 accelerator cannons, 14.4 plasma
//	at half power, 14.5 fire while evading, 14.6 self-destruction)
//	15 damage (15.1 tables, 15.2 shield generators, 15.3 beams, 15.4 missiles,
//	15.5 superstructure, 15.6 warp and 15.7 impulse engines, 15.8 sensors,
//	15.9 bridge, 15.10 engineering, 15.11 engine and superstructure,
//	15.12 multipliers, 15.13 casualties, 15.14 their modifier)
//	16 repair (16.1 weapon tracks, 16.2 weapons, 16.3 heavy damage, 16.4 residual
//	effects)
//	17 outposts (17.1 arcs, 17.2 damage, 17.3 what they are not)
//	18 balancing scenarios (18.1 two ships, 18.2 two sides)
//
// Command & Control:
//
//	19 a crew (19.1 posts, 19.2 ratings, 19.3 who knows what, 19.4 what gives way)
//	20 skills (20.1 advantage, 20.2 engineer, 20.3 helm, 20.4 science, 20.5 sensors,
//	20.6 explosions held, 20.7 hails)
//	21 shaken (21.1 bridge hits, 21.2 officers, 21.3 systems, 21.4 engine room,
//	   21.5 power cut in mid-turn)
//	22 orders of posts (22.1 whose, 22.2 totals, 22.3 the captain's word, 22.4 missing)
//	24 campaigns with crews (24.1 shares, 24.2 skills)
//
// "D.." are the project's rulings where the text is silent.
package fasa
