-- What can be searched, one row for each thing: its words, who it is for, and what it counts for. All of it is made of other tables, and
-- can be made again.
create table search_documents (
  id uuid primary key,
  in_index text not null check (in_index in ('people', 'groups', 'discussions', 'posts', 'resources', 'messages')),
  kind text not null default '',
  -- Who reads it: whoever the group lets read, of what is said there since `said_at`; with `place_id`, whoever is in the conversation.
  group_id uuid,
  author_id uuid,
  place_id uuid,
  audience text not null default 'group',
  said_at timestamptz not null,
  number integer,
  title text not null default '',
  names text not null default '',
  tags text[] not null default '{}',
  body text not null default '',
  language text not null default 'en',
  states text[] not null default '{}',
  has text[] not null default '{}',
  likes integer not null default 0,
  comments integer not null default 0,
  members integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  score double precision not null default 0,
  -- Words with their places, made by our own tokenizer: titles A, names B, tags C, the text D; and those of the title alone.
  words tsvector not null,
  title_words tsvector,
  version bigint not null
);
-- One index for each kind of thing, so that a question among people does not go through all posts.
create index search_people on search_documents using gin (words) where in_index = 'people';
create index search_groups on search_documents using gin (words) where in_index = 'groups';
create index search_discussions on search_documents using gin (words) where in_index = 'discussions';
create index search_posts on search_documents using gin (words) with (gin_pending_list_limit = 512) where in_index = 'posts';
create index search_resources on search_documents using gin (words) where in_index = 'resources';
create index search_messages on search_documents using gin (words) with (gin_pending_list_limit = 512) where in_index = 'messages';
create index search_titles on search_documents using gin (title_words) where title_words is not null;
create index search_best on search_documents (in_index, score desc, id desc);
create index search_latest on search_documents (in_index, created_at desc, id desc);
create index search_by_author on search_documents (author_id, in_index, created_at desc);
create index search_by_group on search_documents (group_id, in_index, created_at desc);
create index search_by_place on search_documents (place_id);
create index search_by_tag on search_documents using gin (tags) where tags <> '{}';

-- In how many documents a word stands: what was meant by one that is written otherwise, and how much a question will find.
create table search_words (
  word text primary key,
  documents integer not null
);

-- What has changed and is to be filed anew, in the order in which it did. `after` is how far a share of many has come.
create table search_due (
  seq bigint generated always as identity primary key,
  what text not null,
  id uuid not null,
  after uuid,
  at timestamptz not null
);

-- Filing everything anew, kind by kind, so that it goes on where it stopped.
create table search_runs (
  in_index text primary key,
  after uuid,
  filed integer not null default 0,
  asked_at timestamptz not null default now(),
  finished_at timestamptz
);
insert into search_runs (in_index) values ('people'), ('groups'), ('discussions'), ('resources'), ('posts'), ('messages');
create sequence search_versions;

-- What somebody searched for lately, and what they keep to search for again; nobody else's concern.
create table recent_searches (
  person_id uuid not null references people (id) on delete cascade,
  asked text not null check (char_length(asked) between 1 and 200),
  at timestamptz not null,
  primary key (person_id, asked)
);
create index recent_searches_of_person on recent_searches (person_id, at desc);
create table saved_searches (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 60),
  asked text not null check (char_length(asked) between 1 and 500),
  created_at timestamptz not null,
  unique (person_id, asked)
);
create index saved_searches_of_person on saved_searches (person_id, created_at);

-- What was searched for and not found, as a hash; its words only once so many different people looked for the same.
create table search_misses (
  hash bytea primary key,
  words text,
  times integer not null default 1,
  people integer not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null
);
create index search_misses_latest on search_misses (people desc, last_at desc);
create table search_miss_people (
  hash bytea not null references search_misses (hash) on delete cascade,
  who bytea not null,
  primary key (hash, who)
);
