package sfb

// parts are all parts; a book has some of them. A verb is carried out by the first part that knows it.
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
