-- Games that are kept in the database: see package record. Times are nanoseconds since 1970, as file systems have them.
CREATE TABLE records (
	game    TEXT   COLLATE "C" PRIMARY KEY,
	version BIGINT NOT NULL DEFAULT 0,           -- grows with each change
	fence   BIGINT NOT NULL DEFAULT 0,           -- grows with each holder of the lock
	holder  TEXT   COLLATE "C" NOT NULL DEFAULT '',
	until   TIMESTAMPTZ NOT NULL DEFAULT '-infinity' -- when another may take the lock; -infinity: nobody has it
);

CREATE TABLE record_files (
	game     TEXT   COLLATE "C" NOT NULL REFERENCES records ON DELETE CASCADE,
	name     TEXT   COLLATE "C" NOT NULL,
	modified BIGINT NOT NULL,
	data     BYTEA  NOT NULL,
	PRIMARY KEY (game, name)
);

-- The journal, a row for each line, so that adding one costs the same however long it is. What is torn is a line too.
CREATE TABLE record_lines (
	game     TEXT   COLLATE "C" NOT NULL REFERENCES records ON DELETE CASCADE,
	at       BIGINT NOT NULL,                    -- how many bytes stand before it
	modified BIGINT NOT NULL,
	line     BYTEA  NOT NULL,
	PRIMARY KEY (game, at)
);
