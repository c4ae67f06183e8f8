-- Which host serves a mailbox, by its address in lower case. Times are the server's, but for looked: microseconds since 1970.
CREATE TABLE mailboxes (
	mailbox TEXT   COLLATE "C" PRIMARY KEY,
	holder  TEXT   COLLATE "C" NOT NULL,
	fence   BIGINT NOT NULL,                     -- grows with each holder
	until   TIMESTAMPTZ NOT NULL,                -- when another may take it; -infinity: it was given back
	looked  BIGINT NOT NULL                      -- when the mailbox was read last; 0 for never
);

-- What marks in mailboxes call all hosts that share the database.
CREATE TABLE owner (id TEXT COLLATE "C" NOT NULL);
INSERT INTO owner VALUES (replace(gen_random_uuid()::text, '-', ''));
