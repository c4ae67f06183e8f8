// Package breakable stops or kills the daemon at named steps, for the tests of crashes. Only a program that is built
// with the tag crash can be broken so.
package breakable
