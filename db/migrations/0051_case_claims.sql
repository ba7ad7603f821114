-- When moderators take cases on, for the median times beside the queue.

alter table cases add column claimed_at timestamptz;
comment on column cases.claimed_at is 'When the case was first assigned to a moderator; null if it never was.';

update cases c set claimed_at = first.at
from (select object_id, min(at) as at from audit_events
  where object_kind = 'case' and act in ('case.claimed', 'case.handed_over') group by object_id) first
where first.object_id = c.id::text;

create index cases_claimed on cases (claimed_at desc) where (claimed_at is not null);
