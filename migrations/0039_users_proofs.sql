-- A foreign key would lock the session's row for each proof, and writes WAL for it. A proof is stored right after its
-- session was found, and deleted after an hour. A row whose session is gone does no harm.

alter table session_proofs drop constraint session_proofs_session_id_fkey;
