package rulebook

// Words and figures that orders, rules and reports share.

// What a crew can do with its bonus (stcs 12.3, ruling D38).
const (
	BonusSuperstructure = "superstructure"
	BonusEngine         = "engine"
	BonusEngines        = "engines" // standing order: the engine that has lost most
	BonusPower          = "power"
	BonusNone           = "none"
)

// SkillFormBoost is the last form of the engineer's skills; those of science follow.
const SkillFormBoost = 2

// What conditions may ask of the fire that others declared in the phase.
const (
	AboutTargeted = "targeted"
	AboutMissile  = "missile"
)

// Words of an order to follow.
const (
	FollowAll  = "all"
	FollowNone = "none"
)

// KindMerged is the head of a set merged from those of all posts.
const KindMerged = "bridge"

// LockNeed is the highest die that gets a lock (stcs 7.1, ruling D25).
const LockNeed = 6

// NoTarget is the word for no target at all.
const NoTarget = "none"

// EvadeNeed is the highest die that evades (stcs 8.4, ruling D30).
const EvadeNeed = 3

// Ways in which a ship moves.
const (
	WayAhead  = "ahead"
	WayAstern = "astern"
)

// OptionBanks is the game option of stcs 4.4: one roll for a bank, or one for each mount.
const (
	OptionBanks = "banks"
	BanksOne    = "one"
	BanksEach   = "each"
)

// OptionRatings is the game option of stcs 12.1 and 12.2: whether ratings that the scenario
// does not give are rolled or average (ruling D58).
const (
	OptionRatings = "ratings"
	RatingsRolled = "rolled"
	RatingsFixed  = "fixed"
)

// OptionCrews is the game option whether captains and crews, which are optional rules, take
// part (stcs 12, ruling D58).
const (
	OptionCrews = "crews"
	CrewsOn     = "on"
	CrewsOff    = "off"
)

// OptionDeclared is the game option for what conditions on others' declarations may decide
// in fire orders (stcs 4.1, ruling D59). At a table each player turns a counter face down
// before targets are told: it says whether a ship fires.
const (
	OptionDeclared  = "declared"
	DeclaredTargets = "targets" // at whom a weapon fires, not whether
	DeclaredFire    = "fire"    // also whether it fires, once all targets are known: not by the book (ruling D64)
)
