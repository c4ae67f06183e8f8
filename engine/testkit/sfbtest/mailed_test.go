package sfbtest_test

import (
	"testing"

	"starpost/engine/rules/sfb"
	"starpost/engine/testkit/enginetest"
)

func TestRobotsByMail(t *testing.T) { enginetest.RobotsByMail(t, sfb.Family()) }
