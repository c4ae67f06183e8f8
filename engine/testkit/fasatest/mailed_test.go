package fasatest_test

import (
	"testing"

	"starpost/engine/rules/fasa"
	"starpost/engine/testkit/enginetest"
)

func TestRobotsByMail(t *testing.T) { enginetest.RobotsByMail(t, fasa.Family()) }
