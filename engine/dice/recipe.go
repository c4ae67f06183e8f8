package dice

// Recipe describes how the value of a die is computed, for people who want to do it without this program. It is in
// the documentation and in every archive.
const Recipe = `A die has a value that anybody can work out who has the game's secret, the
die's name, the captains' words for luck and, where its turn has one, the
public beacon.

The secret is 32 bytes. Its SHA-256 is the "hash of the game's secret" that
every report bears; the secret itself goes out with the last report and is in
the archive, both as hexadecimal digits.

frame(a, b, ...) writes texts one behind the other: of each first its length
in bytes, as a number of eight bytes, the highest byte first, then the text.
Texts are UTF-8; numbers in them are decimal digits.

1. Words for luck. W is empty when the game begins. For each event "luck" of
   the game, turn by turn and in the order of the events,
     W = SHA-256(frame("starpost dice words 2", W, turn, ship, words))
   as 64 hexadecimal digits in small letters; ship is her id, with /POST behind
   it where the event has a post. So the words of a turn count for its own dice
   and for those of all turns after it. The "hash" that the event shows is
     SHA-256(frame("starpost dice luck 1", words))
2. The key of a turn that has no beacon. While W is empty it is the secret.
   Else it is
     SHA-256(frame("starpost dice turn 2", secret, game, turn, W))
   with W after the words of that turn; game is its id.
   The key of a turn that has a beacon, the file beacon.json beside its events:
     SHA-256(frame("starpost dice turn 3", secret, game, turn, W,
                   chain, round, randomness))
   with W as before, empty or not. chain, round and randomness are those of the
   file: chain and randomness 64 hexadecimal digits in small letters each, round
   a number. randomness is the SHA-256 of the 48 bytes that signature gives as
   hexadecimal digits.
   A turn that was played a phase at a time has a beacon for each phase:
   beacon.json for the first, beacon.p2.json for the second, and so on. That of a
   phase counts for the events that its directory (0003.p2) has and the one
   before has not, the last one for all that only the whole turn has. A file
   that holds {"own":true} stands for none.
3. The seed of a die is
     SHA-256(frame("starpost dice roll 1", key, game, die, name))
   where die is d6, 2d6, d10 or d100.
4. The numbers of a seed come from ChaCha8 (RFC 8439's ChaCha with 8 rounds,
   as chacha8rand of C2SP has it). Make the four blocks with the counters 0,
   1, 2 and 3: words 0 to 3 of the state are the usual "expand 32-byte k", 4
   to 11 the seed, 12 the counter, 13 to 15 zero. After the rounds add the
   seed's words to words 4 to 11 again, and nothing to the others. Write word 0
   of all four blocks, then word 1 of all four, and so on. Every eight bytes of
   that are a number. Words and numbers have their lowest byte first.
5. A die with n sides shows v mod n + 1, where v is the first number below the
   largest multiple of n that is not above 2^64. 2d6 is the sum of two such
   throws of a d6, the second one from the numbers after the first.

Games whose states have format 1 (begun with an older Starpost) have other
steps 1 and 2: words count for their own turn alone. Where nobody sent any in
a turn, its key is the secret. Else it is
     SHA-256(frame("starpost dice turn 1", secret, game, turn,
                   ship, words, ship, words, ...))
with all ships of which there are words, sorted by id.

A die that a referee ruled on shows in its event what counts ("value") and
what was thrown ("was").
`
