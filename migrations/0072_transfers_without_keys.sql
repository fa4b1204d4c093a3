-- A transfer commits together with its posting, which knows only accounts of users who exist, and users are never
-- deleted: the foreign keys locked both users' rows to learn the same, a fifth of what a transfer cost the database.
alter table transfers drop constraint transfers_from_number_fkey, drop constraint transfers_to_number_fkey;
