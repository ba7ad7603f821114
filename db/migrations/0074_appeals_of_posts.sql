-- Whoever wrote what was removed asks, once for each time, that somebody else looks at it: a report of one's own post, as it stood.
alter table reports
  add column appeal boolean not null default false,
  -- What its author reads of why it comes back, or does not.
  add column answer text not null default '';
