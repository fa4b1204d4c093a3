-- Creates the database, its owner and the login of each process. Run it once, as superuser, on the primary:
--   psql "host=10.0.0.11,10.0.0.12,10.0.0.13 user=postgres target_session_attrs=read-write" \
--     -v owner=… -v api=… -v worker=… -v seeds=… -v operator=… -f logins.sql
-- with a password in place of each dot. Then `migrate` creates the tables.
\set ON_ERROR_STOP on
create role wellplay_owner login password :'owner';
create role wellplay_app nologin;
create role wellplay_api login password :'api';
create role wellplay_worker login password :'worker';
create role wellplay_seeds login password :'seeds';
create role wellplay_operator login password :'operator';
grant wellplay_app to wellplay_api, wellplay_worker, wellplay_operator;
create database wellplay owner wellplay_owner;
