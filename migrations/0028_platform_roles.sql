-- One database role per process (R27). wellplay_app, the group of the first migrations, keeps the right to read. What
-- may be written is granted to the process that writes it. A table that a later migration creates should be granted
-- in the same way.
--
-- Roles belong to the whole server: they may exist already, and the migration of another database may be creating them
-- at this moment.
do $$
declare
  process name;
begin
  foreach process in array '{wellplay_api,wellplay_worker,wellplay_seeds,wellplay_operator}'::name[] loop
    begin
      execute format('create role %I nologin', process);
    exception when duplicate_object or unique_violation then null;
    end;
    if process <> 'wellplay_seeds' and not pg_has_role(process, 'wellplay_app', 'member') then
      begin
        execute format('grant wellplay_app to %I', process);
      exception when unique_violation then null;
      end;
    end if;
  end loop;
end $$;

revoke insert, update, delete on all tables in schema public from wellplay_app;
revoke usage on sequence users_number_seq from wellplay_app;

-- The API writes what users do.
grant usage on sequence users_number_seq to wellplay_api;
grant insert on idempotency_keys, chain_claims, users, sessions, sign_in_nonces, session_proofs, point_awards,
  team_deltas, referral_holds, plan_orders, plan_lots, upline_rewards, daily_rewards, reward_deferrals, withdrawals, transfers, wellness_entries, wellness_completions, wellness_breathing,
  wellness_rest_plans, wellness_friends, quiz_games, quiz_events, quiz_bests, colour_bets, colour_uplines,
  colour_wallet_moves, colour_limits, colour_exclusions, support_requests, support_messages
  to wellplay_api;
grant delete on sign_in_nonces, colour_upline_queue to wellplay_api;
grant update (points, hides_figures, hides_from_boards) on users to wellplay_api;
grant update (seen_at, ended_at) on sessions to wellplay_api;
grant update (appeal_id) on referral_holds to wellplay_api;
grant update (fee_completed_at, upline_completed_at) on plan_orders to wellplay_api;
grant update (paid_at) on upline_rewards, royalty_shares to wellplay_api;
grant update (removed_at) on wellness_entries to wellplay_api;
grant update (finished_at) on wellness_breathing to wellplay_api;
grant update (weekdays) on wellness_rest_plans to wellplay_api;
grant update (joined) on wellness_friends to wellplay_api;
grant update (ended_at, end_reason, score, hits, combo_best, points) on quiz_games to wellplay_api;
grant update (score, game_id, reached_at) on quiz_bests to wellplay_api;
grant update (state, urgent, updated_at) on support_requests to wellplay_api;

-- The worker follows the chain, pays, settles, and finishes what users left open.
grant insert on jobs, audit_runs, halts, chain_payments, chain_bookings, chain_cursor, chain_payouts,
  chain_payout_attempts, chain_unbooked, chain_wallets, halt_doubts, point_awards, team_deltas, team_totals, team_levels, funding_sources,
  funding_checks, referral_flags, referral_flag_members, referral_holds, plan_orders, plan_lots, upline_rewards,
  daily_rewards, reward_deferrals, reward_runs, royalty_months, royalty_shares, wellness_entries, wellness_completions,
  quiz_events, quiz_bests, colour_rounds, colour_uplines, liability_snapshots, liability_leaves, liability_nodes,
  trust_history
  to wellplay_worker;
grant delete on halts, halt_doubts, chain_unbooked, sign_in_nonces, session_proofs, team_deltas, colour_upline_queue
  to wellplay_worker;
grant update on jobs, halt_doubts, team_totals, team_levels to wellplay_worker;
grant update (block_number, block_hash, moved_at) on chain_cursor to wellplay_worker;
grant update (state, note, closed_at) on chain_claims to wellplay_worker;
grant update (closed_at) on chain_payouts to wellplay_worker;
grant update (points) on users to wellplay_worker;
grant update (block_number) on funding_checks to wellplay_worker;
grant update (fee_completed_at, upline_completed_at) on plan_orders to wellplay_worker;
grant update (matured_at, maturity_reference) on plan_lots to wellplay_worker;
grant update (paid_at) on upline_rewards to wellplay_worker;
grant update (paid_by, paid_at) on reward_deferrals to wellplay_worker;
grant update (state, note, tx_hash, confirmations, confirmations_needed) on withdrawals to wellplay_worker;
grant update (ended_at, end_reason, score, hits, combo_best, points) on quiz_games to wellplay_worker;
grant update (score, game_id, reached_at) on quiz_bests to wellplay_worker;
grant update (state, block_number, block_hash, block_at, seed, draw, outcome, finished_at) on colour_rounds
  to wellplay_worker;

-- Operators decide. `jobs` lets them ask the worker to run a job now.
grant insert on halts, chain_claims, chain_bookings, chain_payouts, chain_payout_attempts, chain_treasury, support_messages,
  liability_snapshots, liability_leaves, liability_nodes
  to wellplay_operator;
grant insert (id, act, payload, digest) on operator_acts to wellplay_operator;
grant insert (act_id, operator, digest, signature) on operator_signatures to wellplay_operator;
grant delete on halts, chain_unbooked to wellplay_operator;
grant update (ran_at) on jobs to wellplay_operator;
grant update (frozen_at) on users to wellplay_operator;
grant update (dismissed_by, dismissed_at) on referral_flags to wellplay_operator;
grant update (state, decided_by, decided_at, note) on referral_holds to wellplay_operator;
grant update (state, note) on withdrawals to wellplay_operator;
grant update (state, urgent, updated_at) on support_requests to wellplay_operator;
