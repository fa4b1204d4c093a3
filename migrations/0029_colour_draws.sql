-- Draws belong to the seeds process alone: it opens rounds, binds blocks and reveals seeds. It can write neither a seed
-- nor a result, because `colour_reveal` computes both. The worker settles a drawn round, and refunds one without a
-- result.

-- The transactions that created the round and bound its block. A seed is revealed only in a later one, so a binding
-- cannot be rolled back by someone who has seen the draw.
alter table colour_rounds add column created_in xid8, add column bound_in xid8;

alter table colour_rounds drop constraint colour_rounds_state_check;
alter table colour_rounds add constraint colour_rounds_state_check
  check (state in ('open', 'drawn', 'settled', 'refunded'));
-- The seed of a refunded round is revealed after the refund.
alter table colour_rounds drop constraint colour_rounds_check3;
alter table colour_rounds add constraint colour_rounds_check3 check (
  (state = 'open') = (finished_at is null) and (state <> 'open' or seed is null)
  and (state not in ('drawn', 'settled') or seed is not null));
alter table colour_rounds drop constraint colour_rounds_check4;
alter table colour_rounds add constraint colour_rounds_check4 check (
  (state in ('drawn', 'settled')) = (draw is not null) and (state in ('drawn', 'settled')) = (outcome is not null));
alter table colour_rounds drop constraint colour_rounds_check5;
alter table colour_rounds add constraint colour_rounds_check5
  check (state not in ('drawn', 'settled') or block_hash is not null);

drop index colour_rounds_unfinished;
create index colour_rounds_unfinished on colour_rounds (number)
  where state in ('open', 'drawn') or state = 'refunded' and seed is null;

grant usage on schema public to wellplay_seeds;
grant select on colour_chains, colour_rounds to wellplay_seeds;
grant insert (number, id, chain_id, opens_at, closes_at, pays_green, pays_red, pays_violet, result_seconds),
  update (block_number, block_hash, block_at) on colour_rounds to wellplay_seeds;
revoke insert, update on colour_rounds from wellplay_worker;
grant update (state) on colour_rounds to wellplay_worker;
