package fasatest_test

import (
	"testing"

	"starpost/engine/enginetest"
	"starpost/engine/rules/fasa"
)

func TestRobotsByMail(t *testing.T) { enginetest.RobotsByMail(t, fasa.Family()) }
