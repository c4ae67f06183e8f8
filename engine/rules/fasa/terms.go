package fasa

// Words and figures that orders, rules and reports share.

// What a crew can do with its bonus (stcs 12.3, ruling D38).
const (
	bonusSuperstructure = "superstructure"
	bonusEngine         = "engine"
	bonusEngines        = "engines" // standing order: the one that has lost most
	bonusPower          = "power"
	bonusNone           = "none"
)

// skillFormBoost is the last form of the engineer's tries; those of science follow.
const skillFormBoost = 2

// What conditions may ask of the fire that others declared in the phase.
const (
	aboutTargeted = "targeted"
	aboutMissile  = "missile"
)

// Words of an order to follow.
const (
	followAll  = "all"
	followNone = "none"
)

// kindMerged is what stands in the head of a set that is put together of those of all posts.
const kindMerged = "bridge"

// lockNeed is the die that gets a lock, or any lower one (stcs 7.1, ruling D25).
const lockNeed = 6

// noTarget is the word for no target at all.
const noTarget = "none"

// evadeNeed is the die that evades, or any lower one (stcs 8.4, ruling D30).
const evadeNeed = 3

// Ways in which a ship moves.
const (
	wayAhead  = "ahead"
	wayAstern = "astern"
)

// OptionBanks is the game option of stcs 4.4: one roll for a bank, or one for each mount.
const (
	OptionBanks = "banks"
	BanksOne    = "one"
	BanksEach   = "each"
)
