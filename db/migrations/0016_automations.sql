-- Automations and their runs.

create table automations (
  id uuid primary key,
  name text collate "C" not null check (char_length(name) between 1 and 100) unique,
  enabled boolean not null,
  version integer not null check (version > 0),
  created_at timestamptz not null,
  changed_at timestamptz not null
);
comment on table automations is 'Automations.';

create table automation_versions (
  flow_id uuid references automations (id) on delete cascade,
  version integer,
  definition text not null,
  primary key (flow_id, version)
);
comment on table automation_versions is 'Definitions of automations.';

create table automation_triggers (
  id uuid primary key,
  flow_id uuid not null references automations (id) on delete cascade,
  name text collate "C" not null,
  definition text not null,
  next_at timestamptz,
  unique (flow_id, name)
);
create index automation_triggers_due on automation_triggers (next_at) where (next_at is not null);
comment on table automation_triggers is 'Triggers.';

create table automation_runs (
  id uuid primary key,
  flow_id uuid not null,
  version integer not null,
  person_id uuid references people (id),
  server boolean not null,
  depth integer not null,
  told text,
  trigger text not null,
  state text not null check (state in ('running', 'waiting', 'done', 'failed', 'stopped')),
  position text not null,
  context text not null,
  steps integer not null default 0,
  attempts integer not null default 0,
  due_at timestamptz,
  waiting_for text collate "C",
  brought text,
  fault text,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state in ('running', 'waiting')) = (ended_at is null)),
  constraint automation_runs_check1 check ((due_at is null) = (ended_at is not null)),
  foreign key (flow_id, version) references automation_versions (flow_id, version) on delete cascade
);
create unique index automation_runs_trigger_key on automation_runs (flow_id, trigger, told)
  where (told is not null);
create index automation_runs_due on automation_runs (due_at, id) where (due_at is not null);
create index automation_runs_flow on automation_runs (flow_id, id);
create index automation_runs_waiting on automation_runs (flow_id, waiting_for, id)
  where (waiting_for is not null);
create index automation_runs_person on automation_runs (person_id) where (person_id is not null);
create index automation_runs_ended on automation_runs (ended_at) where (ended_at is not null);
create index automation_runs_of_version on automation_runs (flow_id, version);
comment on table automation_runs is 'Runs of automations.';
comment on column automation_runs.depth is 'Runs that caused one another end at five.';
comment on column automation_runs.position is 'Stack of step lists the run is in.';
comment on column automation_runs.brought is 'Input.';

create table automation_steps (
  run_id uuid references automation_runs (id) on delete cascade,
  n integer,
  id uuid not null,
  place text not null,
  kind text not null,
  name text not null,
  attempt integer not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('done', 'again', 'failed', 'waiting')),
  words text,
  primary key (run_id, n)
);
comment on table automation_steps is 'Steps of runs and their results.';
