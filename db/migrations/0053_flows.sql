-- What is to be done by itself: flows as data, each with a name, a switch and a number that counts its changes.
create table flows (
  id uuid primary key,
  name text collate "C" not null unique check (char_length(name) between 1 and 100),
  enabled boolean not null,
  version integer not null check (version > 0),
  created_at timestamptz not null,
  changed_at timestamptz not null
);

-- A run goes by the definition with which it began, whatever became of its flow meanwhile.
create table flow_versions (
  flow_id uuid not null references flows (id) on delete cascade,
  version integer not null,
  -- JSON of its triggers and steps.
  definition text not null,
  primary key (flow_id, version)
);

-- What starts a flow, or wakes a run of it. Beside the definition, so that whoever hears of something finds whom it concerns.
create table flow_triggers (
  id uuid primary key,
  flow_id uuid not null references flows (id) on delete cascade,
  name text collate "C" not null,
  -- JSON of the trigger.
  definition text not null,
  -- When a schedule comes next; nothing where there is none, or the flow is switched off.
  next_at timestamptz,
  unique (flow_id, name)
);
create index flow_triggers_due on flow_triggers (next_at) where next_at is not null;

create table flow_runs (
  id uuid primary key,
  flow_id uuid not null,
  version integer not null,
  -- Who asked for it; nobody where something happened, or a program did that nobody was signed in with.
  person_id uuid references people (id),
  -- Whether it was asked for with the server's key.
  server boolean not null,
  -- How many runs led to this one.
  depth integer not null,
  -- What happened, so that what is heard of twice starts one run.
  told text,
  trigger text not null,
  state text not null check (state in ('running', 'waiting', 'done', 'failed', 'stopped')),
  -- JSON: in which lists of steps it is, and where.
  position text not null,
  -- JSON: what its steps know.
  context text not null,
  steps integer not null default 0,
  -- How often the step at hand has failed.
  attempts integer not null default 0,
  -- When there is something to do.
  due_at timestamptz,
  -- The trigger that it waits for, and what that brought.
  waiting_for text collate "C",
  brought text,
  fault text,
  created_at timestamptz not null,
  ended_at timestamptz,
  foreign key (flow_id, version) references flow_versions (flow_id, version) on delete cascade,
  check ((state in ('running', 'waiting')) = (ended_at is null)),
  check ((due_at is null) = (ended_at is not null))
);
create unique index flow_runs_told on flow_runs (flow_id, trigger, told) where told is not null;
create index flow_runs_due on flow_runs (due_at, id) where due_at is not null;
create index flow_runs_flow on flow_runs (flow_id, id);
create index flow_runs_waiting on flow_runs (flow_id, waiting_for, id) where waiting_for is not null;
create index flow_runs_person on flow_runs (person_id) where person_id is not null;
create index flow_runs_ended on flow_runs (ended_at) where ended_at is not null;

-- What a run has done, step by step. A step that has begun and has no outcome is under way, or broke off with its process.
create table flow_steps (
  run_id uuid not null references flow_runs (id) on delete cascade,
  n integer not null,
  -- Its own id, by which what it does is known where that could be done twice.
  id uuid not null,
  -- Where it stands in the definition: `steps.2.do.0`.
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
