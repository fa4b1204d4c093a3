-- Users' time zones, which their wellness days follow. Without a row it is UTC. The newest row is the zone in use; all
-- of them say which days a journey cut short, so that those break no streak.

create table wellness_zones (
  user_number int not null references users (number),
  changed_at timestamptz not null,
  zone text not null check (length(zone) between 1 and 64), -- an IANA name
  day_on date not null, -- the user's day right after the change
  -- How far the clock went forward, or back on a day without a closed ring. Zones are at most 26 hours apart.
  shorter_minutes int not null check (shorter_minutes between 0 and 1560),
  longer_minutes int not null check (longer_minutes between 0 and 1560),
  primary key (user_number, changed_at)
);

grant select on wellness_zones to wellplay_app;
grant insert on wellness_zones to wellplay_api;
