package fasa

import (
	"testing"
	"testing/fstest"

	"starpost/engine/testkit/enginetest"
)

// TestHiddenPursuer: the captain of a ship that is followed by an unseen ship learns
// that it is followed, and no more.
func TestHiddenPursuer(t *testing.T) {
	enginetest.Run(t, ghostly(t), fstest.MapFS{"pursuer.txt": &fstest.MapFile{Data: []byte(`title  A pursuer who is not seen is not named
cite   stcs 8.5, D31
given
  ship   Hood one constitution-hood 0515 A
  ship   Kongo one constitution-hood 0615 A
  ship   Riskadh two d-10-wolf 0505 D
turn
orders Hood
  warp +1
orders Riskadh
  phase 1
    lock Hood
  standing
    follow all
dice
  t1.advantage.hood 1
  t1.advantage.kongo 2
  t1.advantage.riskadh 3
  t1.p1.lock.riskadh.hood 1
then
  warp ship=hood followed_by.1=riskadh
  warp ship=riskadh follows=hood
state
  Hood status=active
view Hood
  warp ship=hood from=6 to=7 followed=true followed_by=none
  1x warp
view Kongo
  warp ship=hood followed=true followed_by=none
  1x warp
view Riskadh
  warp ship=hood followed_by.1=riskadh
  warp ship=riskadh
report Hood
  Hood goes from warp 6 to warp 7, but is followed
  ! Riskadh
`)}})
}
