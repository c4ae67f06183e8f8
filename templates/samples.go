package templates

import "reflect"

// samples are views of every kind that a template file may be drawn with: one with
// nothing in it, and one where everything is there, with each word that a template may
// look at.
func samples(name string) []any {
	switch name {
	case "ack.txt", "ack.html":
		views := []any{Ack{}}
		for _, v := range []Verdict{Accepted, Refused, Kept, Checked, Canceled, Untrusted} {
			a := full[Ack]()
			a.Verdict, a.Diagnostics[0].Severity, a.Diagnostics[1].Severity = v, Error, Warning
			views = append(views, a)
		}
		return views
	case "report.txt", "report.html":
		return []any{Report{}, full[Report]()}
	case "reply.txt":
		return []any{Reply{}, full[Reply]()}
	case "message.txt":
		return []any{RelayedMessage{}, full[RelayedMessage]()}
	}
	toReferee := full[Notice]()
	toCaptain := toReferee
	toCaptain.Referee, toCaptain.Gone = false, false
	return []any{Notice{}, toReferee, toCaptain}
}

// full is a view in which every field has something.
func full[T any]() (view T) {
	fill(reflect.ValueOf(&view).Elem())
	return view
}

func fill(v reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // views have no others
	case reflect.String:
		v.SetString("Sample <&>")
	case reflect.Int:
		v.SetInt(2)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Struct:
		for _, f := range v.Fields() {
			fill(f)
		}
	}
}
