package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"starpost/pbem/fault"
	"starpost/pbem/store"
	"starpost/pbem/store/sqlstore"
)

// Only one of the hosts that share the database serves a mailbox at a time: it reads the mailbox, plays its games and sends from it.
// It holds a lease, by the server's clock, and renews it while it runs. When the lease expires or is released, another host may take it.

// Hold leases a mailbox to a holder for length from now on, unless another host holds it, and returns the current holder.
// looked is when the caller last read the mailbox.
func (s *Store) Hold(ctx context.Context, mailbox, holder string, length time.Duration, looked time.Time) (h store.Holding, err error) {
	mailbox = strings.ToLower(mailbox)
	read := int64(0)
	if !looked.IsZero() {
		read = looked.UnixMicro()
	}
	err = s.Group(ctx, func(ctx context.Context) error {
		if _, err := s.Exec(ctx, "hold "+mailbox, `INSERT INTO mailboxes AS m VALUES (?1, ?2, 1, clock_timestamp() + ?3::bigint * interval '1 microsecond', ?4::bigint)
			ON CONFLICT (mailbox) DO UPDATE SET holder = ?2, fence = m.fence + CASE WHEN m.holder = ?2 AND m.until > '-infinity' THEN 0 ELSE 1 END,
			until = clock_timestamp() + ?3::bigint * interval '1 microsecond', looked = greatest(m.looked, ?4::bigint)
			WHERE m.holder = ?2 OR m.until <= clock_timestamp()`, mailbox, holder, length.Microseconds(), read); err != nil {
			return err
		}
		return s.Query(ctx, "look up who holds "+mailbox, func(row sqlstore.Row) error {
			var last int64
			err := row.Scan(&h.Holder, &h.Fence, &last, &h.Owner)
			if last > 0 {
				h.Looked = time.UnixMicro(last).UTC()
			}
			return err
		}, "SELECT holder, fence, looked, (SELECT id FROM owner) FROM mailboxes WHERE mailbox = ?", mailbox)
	})
	return h, err
}

// HoldUntilCommit reports whether a holder has the mailbox, still under the same fence. If so, Hold by another waits until
// the group of ctx ends.
func (s *Store) HoldUntilCommit(ctx context.Context, mailbox, holder string, fence int64) (held bool, err error) {
	err = s.Query(ctx, "confirm who holds "+mailbox, func(sqlstore.Row) error { held = true; return nil },
		"SELECT 1 FROM mailboxes WHERE mailbox = ? AND holder = ? AND fence = ? AND until > '-infinity' FOR SHARE", strings.ToLower(mailbox), holder, fence)
	return held, err
}

// Served says which host serves a mailbox.
type Served struct {
	Mailbox, Holder string        // Holder is "" if no host serves the mailbox
	Left            time.Duration // remaining time of the lease, which the host renews
	Looked          time.Time     // when a host last read the mailbox; zero for never
}

// Served lists all mailboxes that hosts have served.
func (s *Store) Served(ctx context.Context) (all []Served, err error) {
	err = s.Query(ctx, "list who serves mailboxes", func(row sqlstore.Row) error {
		var one Served
		var left, looked int64
		err := row.Scan(&one.Mailbox, &one.Holder, &left, &looked)
		if one.Left = time.Duration(left) * time.Microsecond; left <= 0 {
			one.Holder, one.Left = "", 0
		}
		if looked > 0 {
			one.Looked = time.UnixMicro(looked).UTC()
		}
		all = append(all, one)
		return err
	}, "SELECT mailbox, holder, CASE WHEN until > clock_timestamp() THEN (extract(epoch FROM until - clock_timestamp()) * 1000000)::bigint ELSE 0 END, looked FROM mailboxes ORDER BY mailbox")
	return all, err
}

// Release ends the lease of a mailbox, if the holder still has it.
func (s *Store) Release(ctx context.Context, mailbox, holder string) error {
	_, err := s.Exec(ctx, "give back "+mailbox, "UPDATE mailboxes SET until = '-infinity' WHERE mailbox = ? AND holder = ?", strings.ToLower(mailbox), holder)
	return err
}

// Setup describes how durable the server's commits are beyond its own disk. The error says which confirmed changes may be
// lost, or that the clocks of server and this machine are more than two seconds apart.
func (s *Store) Setup(ctx context.Context, now func() time.Time) (found string, err error) {
	var commit, names string
	var standbys int
	var micros int64
	before := now()
	if err := s.Query(ctx, "look at the server", func(row sqlstore.Row) error { return row.Scan(&commit, &names, &standbys, &micros) },
		`SELECT current_setting('synchronous_commit'), current_setting('synchronous_standby_names'), (SELECT count(*) FROM pg_stat_replication),
			(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`); err != nil {
		return "", err
	}
	const most = 2 * time.Second
	at := time.UnixMicro(micros)
	if off := max(before.Sub(at), at.Sub(now())); off > most { // at was read between before and now
		return "", fault.New("synchronize both clocks by NTP: deadlines follow the hosts' clocks, leases the server's", "its clock and this machine's are %s apart", off.Round(time.Second))
	}
	switch {
	case standbys > 0 && names == "":
		return "", fault.New("set synchronous_standby_names of the server to the standby's name", "its standbys are asynchronous: if the server is lost, the latest mails and turns are lost too, even if captains already have the reports")
	case standbys > 0 && commit == "local":
		return "", fault.New("set synchronous_commit = on", "it has synchronous_commit = local: it does not wait for its standbys, so if it is lost, the latest commits are lost too")
	case standbys == 0 && names != "":
		return "", fault.New("start the standby; without it the server confirms nothing", "no standby is connected, but synchronous_standby_names is %q", names)
	case standbys == 0:
		return "no standby: commits are only as safe as the server's disk", nil
	}
	return fmt.Sprintf("commits are also on a standby (%s)", names), nil
}

// Servers logs in to each server of an address with several, and tells which part it plays. One of them must be the primary,
// the others may be its standbys.
func (p Place) Servers(ctx context.Context, tell func(host, found string, err error)) {
	primary := ""
	for _, one := range p.each() {
		host := one.host()
		switch standby, err := one.standby(ctx); {
		case err != nil:
			way := "if another one was promoted, make this one its standby or take it out of the url"
			if hint := fault.Hint(err); hint != "" {
				way = hint + "; " + way
			}
			tell(host, "", &fault.Fault{Problem: err.Error(), Way: way, Err: err})
		case standby:
			tell(host, "a standby, which can be promoted", nil)
		case primary != "":
			tell(host, "", fault.New("stop the one that was not promoted, and make it a standby of the other", "it is a primary beside %s: the data of one of them is old", primary))
		default:
			primary = host
			tell(host, "the primary", nil)
		}
	}
}

// each returns the servers of an address with several, as the address of each alone; none if it has one.
func (p Place) each() (servers []Place) {
	u, err := url.Parse(p.URL)
	if err != nil || !strings.Contains(u.Host, ",") {
		return nil
	}
	query := u.Query()
	query.Set("target_session_attrs", "any")
	u.RawQuery = query.Encode()
	for host := range strings.SplitSeq(u.Host, ",") {
		one := *u
		one.Host = host
		servers = append(servers, Place{one.String(), p.Password})
	}
	return servers
}

// host returns the server's name in the address.
func (p Place) host() string {
	u, err := url.Parse(p.URL)
	if err != nil {
		return p.URL
	}
	return u.Host
}

// standby logs in to a server, and reports whether it is a standby.
func (p Place) standby(ctx context.Context) (standby bool, err error) {
	s, err := connect(ctx, p)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	err = s.Query(ctx, "look at the server", func(row sqlstore.Row) error { return row.Scan(&standby) }, "SELECT pg_is_in_recovery()")
	return standby, err
}
