-- On the development chain a snapshot follows every change within a minute: several may be of one day.
alter table liability_snapshots drop constraint liability_snapshots_taken_on_key;
create index liability_snapshots_taken on liability_snapshots (taken_at);
