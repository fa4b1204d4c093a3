-- How long the rows of each table are kept: the one list. A table that is missing here fails a test.
--
-- `old` is the condition, on a row t, under which a row is deleted; null: never. It must be cheap when nothing is due, so
-- it uses an index, or its table is small. OPERATIONS.md repeats the names and times, and a test compares them.
create or replace function retention_rules() returns table (name text, keeps text, why text, old text)
language sql immutable parallel safe as $$
  select rule.name, rule.keeps, rule.why, rule.old from (values
    ('rate_counts', 'a minute', 'counts of calls are needed only until their minute ends',
      $q$t.ends_at < now()$q$),
    ('session_proofs', '10 minutes', 'a proof is valid for four minutes at most, and must not work twice until then',
      $q$t.used_at < now() - interval '10 minutes'$q$),
    ('sign_in_nonces', 'an hour', 'a nonce expires after five minutes',
      $q$t.created_at < now() - interval '1 hour'$q$),
    ('chain_key_places', 'a day', 'workers renew their rows every minute; an old row names a worker that is gone',
      $q$t.seen_at < now() - interval '1 day'$q$),
    ('sessions', 'a year', 'a session lives 30 days; a year of them shows which accounts share a device',
      $q$t.created_at < now() - interval '1 year'$q$),
    ('quiz_guest_games', '3 days', 'a game without an account can be kept by signing up; then it is copied to quiz_games',
      $q$t.started_at < now() - interval '3 days'$q$),
    ('news', '180 days', 'news tell of rows that are kept elsewhere',
      $q$t.created_at < now() - interval '180 days'$q$),
    ('news_deliveries', '30 days', 'which messages were sent; the news themselves stay longer',
      $q$t.created_at < now() - interval '30 days'$q$),
    ('news_email_codes', '2 days', 'a code works for half an hour; a day of them limits how many are sent',
      $q$t.asked_at < now() - interval '2 days'$q$),
    ('news_chat_codes', '2 days', 'a code to connect Telegram works for a quarter of an hour',
      $q$t.asked_at < now() - interval '2 days'$q$),
    ('shares', 'a year', 'a card shows how things were; its owner can remove the link at any time',
      $q$t.created_at < now() - interval '1 year'$q$),
    ('transfer_allowances', '30 days', 'only today''s total limits a transfer; the transfers themselves are kept',
      $q$t.day < current_date - 30$q$),
    ('colour_daily_totals', '30 days', 'only today''s totals limit a bet; the bets themselves are kept',
      $q$t.day < current_date - 30$q$),
    ('liability_parts', '2 days', 'the trees of two days are public; the newest 48 stay longer, and anyone can keep copies',
      $q$t.snapshot_id = any (retention_snapshots())$q$),
    -- The chart shows the last point of each hour for 30 days.
    ('trust_history', '2 days, then one point per hour, after 60 days one per day', 'a chart needs fewer points of the past',
      $q$t.measured_at < now() - interval '2 days' and exists (select from trust_history later
        where later.measured_at > t.measured_at and later.measured_at < case
          when t.measured_at < now() - interval '60 days' then date_trunc('day', t.measured_at, 'UTC') + interval '1 day'
          else date_trunc('hour', t.measured_at, 'UTC') + interval '1 hour' end)$q$),
    -- The last run of a day with each result stays. So the last complete run stays, and the last in which an invariant held.
    ('audit_runs', '30 days, then one run per day and result', 'payouts and the audit look only at the latest runs',
      $q$t.at < now() - interval '30 days' and exists (select from audit_runs later
        where later.at > t.at and later.at < date_trunc('day', t.at, 'UTC') + interval '1 day'
          and (later.held, later.broken, later.unchecked) = (t.held, t.broken, t.unchecked))$q$)
  ) as rule (name, keeps, why, old)
  union all
  select kept.name, 'for ever', groups.why, null from (values
    ('money, or what proves it: history is append-only', '{ledger_accounts,ledger_entries,ledger_postings,ledger_seals,
      audit_log,chain_bookings,chain_claims,chain_payments,chain_payout_attempts,chain_payouts,chain_treasury,chain_wallets,
      chain_deposit_addresses,wallet_changes,
      vault_payments,vault_voids,
      plan_lots,plan_orders,upline_rewards,daily_rewards,reward_deferrals,reward_runs,royalty_months,royalty_shares,
      transfers,withdrawals,withdrawal_changes,colour_bets,colour_chains,colour_rounds,colour_seeds,colour_uplines,
      colour_wallet_moves,liability_snapshots,
      leaf_keys,vault_calls,vault_call_attempts}'),
    ('a repeated call gets its first reply, however late it comes (R2)', '{idempotency_keys}'),
    ('decisions that money depends on: rules, operators'' acts, limits of players, fraud checks', '{terms_versions,
      terms_cancellations,operators,operator_acts,operator_signatures,operator_acts_since,operator_act_kinds,
      colour_limits,colour_exclusions,declarations,referral_flags,referral_flag_members,referral_holds,funding_sources}'),
    ('a user''s own records: pages show them, and points, streaks and scores are recomputed from them', '{users,
      point_awards,quiz_games,quiz_events,quiz_bests,wellness_entries,wellness_completions,wellness_breathing,
      wellness_rest_plans,wellness_friends,wellness_zones,support_requests,support_messages}'),
    ('counts of the rows above, which find late pages: one row per day of a long list, or per thousand members',
      '{history_days,team_blocks}'),
    ('does not grow with time: settings, queues that are emptied, one row per user', '{news_settings,news_devices,
      news_emails,news_chats,news_broadcasts,migrations,function_files,jobs,
      event_publishers,halts,halt_doubts,ledger_account_kinds,ledger_checkpoint,ledger_heads,chain_cursor,chain_unbooked,
      withdrawal_steps,quiz_keys,colour_upline_queue,funding_checks,team_deltas,team_levels,team_totals}')
  ) as groups (why, names), unnest(groups.names::text[]) as kept (name)
$$;

-- Snapshots of which only the root is kept. By age and number: many new ones cannot push out the trees of two days, and
-- old ones stay while none follows. Only published ones count: exits need the tree of the last root, also when every later
-- publication has failed for days. One that is still on its way keeps its tree, and so does the newest of all, which
-- invariant 25 checks.
create or replace function retention_snapshots() returns uuid[] language sql stable
return array(
  with called as (
    select s.id, s.taken_at, c.closed_at is null as is_open, c.succeeded
    from liability_snapshots s join vault_calls c on c.kind = 'publish' and c.value = s.root
      and c.chain_id = s.chain_id and c.vault = s.vault)
  select id from liability_snapshots where taken_at < now() - interval '2 days'
    and id not in (select id from called where succeeded order by taken_at desc limit 48)
    and id not in (select id from called where is_open)
    and id <> (select id from liability_snapshots order by taken_at desc limit 1));

-- Deletes up to `in_rows` old rows of a table and returns how many. A row that another transaction has locked is left for
-- the next time, so a sweep never waits for a lock. Runs as the owner, because no process may delete these rows itself; it
-- takes no time as an argument, so that a stolen login cannot make a row look old.
create or replace function retention_sweep(in_table text, in_rows int) returns int language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  condition text := (select old from retention_rules() where name = in_table);
  swept int;
begin
  if condition is null then
    raise exception 'rows of % may not be deleted', in_table using errcode = 'insufficient_privilege';
  end if;
  execute format('delete from %1$I where ctid = any (array(
    select ctid from %1$I t where %2$s limit $1 for update of t skip locked))', in_table, condition) using in_rows;
  get diagnostics swept = row_count;
  return swept;
end $$;

revoke execute on function retention_sweep from public, wellplay_app;
grant execute on function retention_sweep to wellplay_worker;
