package sfbtest_test

import (
	"testing"

	"starpost/engine/enginetest"
	"starpost/engine/rules/sfb"
)

func TestRobotsByMail(t *testing.T) { enginetest.RobotsByMail(t, sfb.Family()) }
