-- Reports have a category. Categories are defined in the site settings, so that the id here is plain text.

alter table reports
  add column category text not null default 'other' check (category ~ '^[a-z0-9-]{1,40}$'),
  add column law text not null default '' check (char_length(law) <= 200);
comment on column reports.law is 'For illegal content: country and law, as the reporter named them.';
