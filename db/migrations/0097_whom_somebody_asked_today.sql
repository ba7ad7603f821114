-- Whom somebody asked to be friends, and when they were told of it. It outlives the request for a day: asking and cancelling again and again counts,
-- and is told once.
create table friend_asks (
  asker_id uuid not null references people (id) on delete cascade,
  asked_id uuid not null references people (id) on delete cascade,
  asked_at timestamptz not null,
  primary key (asker_id, asked_id)
);
create index friend_asks_of_asked on friend_asks (asked_id);
create index friend_asks_age on friend_asks (asked_at);
insert into friend_asks (asker_id, asked_id, asked_at)
select requested_by, case when requested_by = low_id then high_id else low_id end, requested_at from friendships where requested_at > now() - interval '1 day';
