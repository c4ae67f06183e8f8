package sfb

// houseDealings is what the house rules say of tractor beams, cloaks, boarding and repair.
func (b *Book) houseDealings() {
	b.TractorRange = 1
	b.Cites[onTractor] = []string{"house 71.61", "house 71.8"}
	b.Cloak = cloakData{Times: 1, More: 5, Hides: true}
	b.Cites[onCloak] = []string{"house 41.7", "house 41.71"}
	b.Docs["cloak"] = "Pay for the cloak in this turn, the energy that the sheet tells. The order of a phase switches it: cloak on."
}
