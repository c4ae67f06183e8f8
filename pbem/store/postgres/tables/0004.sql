-- Hosts ask for the games of their mailboxes, and for those that changed since they asked last.
ALTER TABLE records ADD COLUMN mailbox TEXT COLLATE "C" NOT NULL DEFAULT ''; -- in lower case; '' until a host has read game.toml
ALTER TABLE records ADD COLUMN changed xid8 NOT NULL DEFAULT pg_current_xact_id(); -- the transaction that changed it last
CREATE INDEX records_by_change ON records (changed);

-- Games that were removed, for who asks what changed.
CREATE TABLE records_gone (
	game    TEXT COLLATE "C" PRIMARY KEY,
	changed xid8 NOT NULL DEFAULT pg_current_xact_id()
);

-- Several mailboxes send from one outbox.
DROP INDEX outbox_due;
CREATE INDEX outbox_due ON outbox (sender, next_try) WHERE state IN ('queued', 'ambiguous');
