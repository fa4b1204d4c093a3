-- Blocks of about a thousand neighbours in two lists of members, with their numbers, so that a page deep in a list is
-- found by adding up blocks. 'team' has everyone in the order of their paths, so each team is one range of it. 'direct'
-- has the pairs of sponsor and member. A block reaches to the next one, and the first begins at {}. As in team_totals,
-- members whose change is still in team_deltas are not counted yet.
create table team_blocks (
  list text not null check (list in ('team', 'direct')),
  first int[] not null,
  members int not null check (members >= 0),
  primary key (list, first)
) with (fillfactor = 70);
grant select on team_blocks to wellplay_app;
grant insert, update on team_blocks to wellplay_worker;
