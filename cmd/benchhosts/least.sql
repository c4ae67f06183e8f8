-- The minimal SQL to take in an order mail, answer it and, for one mail in three, play a turn. It stores the same files and mails as a
-- host, and commits as often as is needed to survive a crash between any two steps. With reads it also reads what any host must know: the
-- mails with the same bytes, how much the sender was answered, and the game, which it locks before. It checks nothing. The bench
-- passes the texts of mails, in hexadecimal; the files of a turn are in the table "sample", and a report mail without a name.
\set uid random(1, 1000000000000000)
\set n random(0, :games - 1)
\set turn random(1, 3)

-- The mail is stored before it is decided.
BEGIN;
INSERT INTO mails (mailbox, uidvalidity, uid, sha256, message_id, received_at, state, outcome, arrived)
	VALUES ('least', 1, :uid, md5(:uid::bigint::text) || md5('least' || :uid::bigint::text), '<' || :uid::bigint::text || '@least>', 1, 1, '', 1) RETURNING id AS mail \gset
INSERT INTO raws (id, bytes) VALUES (:mail, decode(:raw, 'hex'));
COMMIT;

\if :reads
SELECT sha256, outcome FROM mails WHERE sha256 = md5(:uid::bigint::text) || md5('least' || :uid::bigint::text);
SELECT count(*), min(at) FROM answers WHERE sender = 'captain' || :n AND at >= 1;
UPDATE records SET fence = fence + 1, holder = 'least', until = now() + interval '30 s' WHERE game = 'g' || lpad(:n::text, 9, '0') RETURNING fence;
SELECT name, data FROM record_files WHERE game = 'g' || lpad(:n::text, 9, '0') AND (name < 'turns/' OR name LIKE 'turns/%/state.json' OR name LIKE 'turns/%/manifest.json');
\endif

-- The orders are stored before they are acknowledged.
BEGIN;
UPDATE records SET version = version + 1, changed = pg_current_xact_id() WHERE game = 'g' || lpad(:n::text, 9, '0');
INSERT INTO record_files (game, name, modified, data) VALUES ('g' || lpad(:n::text, 9, '0'), 'orders/' || :uid::bigint::text, 1, decode(:orders, 'hex'))
	ON CONFLICT (game, name) DO UPDATE SET data = excluded.data, modified = excluded.modified;
COMMIT;

-- The answer is stored before the mail counts as answered.
BEGIN;
INSERT INTO outbox (game, kind, message_id, sender, recipient, path, queued_at, attempts, next_try, state, settled_at, last_error)
	VALUES ('least', 'ack', 'ack' || :uid::bigint::text, 'least', 'captain', '', 1, 0, 1, 'queued', 0, '') RETURNING id AS answer \gset
INSERT INTO letters (id, sum, bytes) VALUES (:answer, 1, decode(:ack, 'hex'));
INSERT INTO answers (sender, kind, cause, at) VALUES ('captain' || :n, 'ack', :uid::bigint::text, 1);
UPDATE mails SET state = 3, outcome = 'done' WHERE id = :mail;
COMMIT;

-- The server has accepted the answer; then the mail has been moved.
BEGIN;
UPDATE outbox SET state = 'sent', attempts = 1, settled_at = 1 WHERE id = :answer;
DELETE FROM letters WHERE id = :answer;
COMMIT;
UPDATE mails SET state = 4 WHERE id = :mail;

\if :turn = 1
-- A turn is committed, then its reports are queued, then each is sent.
BEGIN;
UPDATE records SET version = version + 1, changed = pg_current_xact_id() WHERE game = 'g' || lpad(:n::text, 9, '0');
INSERT INTO record_files (game, name, modified, data)
	SELECT 'g' || lpad(:n::text, 9, '0'), 'turns/' || :uid::bigint::text || '/' || name, 1, data FROM sample WHERE name <> '';
COMMIT;
BEGIN;
INSERT INTO outbox (game, kind, message_id, sender, recipient, path, queued_at, attempts, next_try, state, settled_at, last_error)
	VALUES ('least', 'report', 'one' || :uid::bigint::text, 'least', 'captain', 'turns', 1, 0, 1, 'queued', 0, '') RETURNING id AS one \gset
INSERT INTO letters (id, sum, bytes) SELECT :one, 1, data FROM sample WHERE name = '';
INSERT INTO outbox (game, kind, message_id, sender, recipient, path, queued_at, attempts, next_try, state, settled_at, last_error)
	VALUES ('least', 'report', 'two' || :uid::bigint::text, 'least', 'captain', 'turns', 1, 0, 1, 'queued', 0, '') RETURNING id AS two \gset
INSERT INTO letters (id, sum, bytes) SELECT :two, 1, data FROM sample WHERE name = '';
INSERT INTO games (game, queued) VALUES ('least' || :n, 1) ON CONFLICT (game) DO UPDATE SET queued = excluded.queued;
COMMIT;
UPDATE outbox SET state = 'sent', attempts = 1, settled_at = 1 WHERE id = :one;
UPDATE outbox SET state = 'sent', attempts = 1, settled_at = 1 WHERE id = :two;
DELETE FROM letters WHERE id IN (:one, :two);
\endif
