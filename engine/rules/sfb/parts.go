package sfb

// parts are all there are; a book has some of them. The first that knows a verb carries it out.
var parts = []*part{
	&tractorPart,
	&hidingPart,
	&boardingPart,
	&riggingPart,
	&enginePart,
	&controlPart,
	&cannonPart,
	&researchPart,
	&freedPart,
}
