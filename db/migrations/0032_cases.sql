-- Cases bundle the reports of one subject. Triggers keep reports and cases together, so that reports of the
-- previous version, which knows no cases, reach the queue during an update.

create table cases (
  id uuid primary key,
  subject_kind text check (subject_kind in ('post', 'messages', 'person', 'resource', 'group')),
  subject_id uuid,
  group_id uuid references groups (id) on delete set null,
  appeal boolean not null default false,
  state text not null default 'open'
    check (state in ('open', 'in_progress', 'resolved', 'rejected', 'duplicate')),
  assignee_id uuid references people (id) on delete set null,
  reports_count integer not null default 0,
  opened_at timestamptz not null,
  reopened_at timestamptz,
  action text check (action in ('none', 'removed', 'archived', 'limited', 'suspended', 'restored', 'kept')),
  rule text not null default '' check (char_length(rule) <= 1000),
  resolved_at timestamptz,
  resolved_by uuid references people (id) on delete set null,
  duplicate_of uuid references cases (id) on delete cascade,
  check ((subject_kind is null) = (subject_id is null)),
  check ((state in ('open', 'in_progress')) = (resolved_at is null)),
  check ((state = 'duplicate') = (duplicate_of is not null)),
  check (state <> 'in_progress' or assignee_id is not null)
);
comment on table cases is 'Subjects that moderators decide about. A case has the id of its first report.';
comment on column cases.subject_kind is 'Null: the subject was deleted before cases existed.';
comment on column cases.subject_id is 'No foreign key: cases outlive subjects. Messages: the conversation.';
comment on column cases.group_id is 'Where the subject is now; its moderators decide. Null: staff.';
comment on column cases.appeal is 'The open or last decision is about an appeal.';
comment on column cases.reports_count is 'Reports since the case was opened or reopened.';
comment on column cases.action is 'Last decision. kept: the appeal was rejected. none: nothing was done.';
comment on column cases.rule is 'Rule that the decision cites, as it was then.';

create table case_notes (
  id uuid primary key,
  case_id uuid not null references cases (id) on delete cascade,
  author_id uuid references people (id) on delete set null,
  body text not null check (char_length(body) between 1 and 2000),
  created_at timestamptz not null
);
create index case_notes_of_case on case_notes (case_id, created_at, id);
create index case_notes_of_author on case_notes (author_id) where (author_id is not null);
comment on table case_notes is 'Internal notes of moderators.';

alter table reports add column case_id uuid;

-- Earlier decisions: reports of one subject that were closed together, and all open ones, are a case each.
update reports r set case_id = round.case_id
from (
  select id, first_value(id) over (
    partition by coalesce(about_id, id), resolved_at order by created_at, id) as case_id
  from reports where not appeal) round
where round.id = r.id;
-- An appeal reopens the case that led to the decision; without one it has a case of its own.
update reports a set case_id = coalesce((
  select r.case_id from reports r
  where r.about_id = a.about_id and not r.appeal and r.outcome = 'upheld' and r.resolved_at <= a.created_at
  order by r.resolved_at desc, r.id limit 1), a.id)
where a.appeal;

insert into cases (id, subject_kind, subject_id, group_id, appeal, state, reports_count, opened_at,
  reopened_at, action, resolved_at, resolved_by)
select last.case_id,
  case when last.post_id is not null then 'post' when last.conversation_id is not null then 'messages'
    when last.person_id is not null then 'person' when last.resource_id is not null then 'resource'
    when last.group_id is not null then 'group' end,
  coalesce(last.about_id, last.conversation_id), coalesce(d.group_id, s.group_id), last.appeal,
  case when last.resolved_at is null then 'open' when last.appeal or last.outcome = 'upheld' then 'resolved'
    else 'rejected' end,
  round.count, first.created_at, case when last.appeal and not first.appeal then last.created_at end,
  case when last.resolved_at is null then null
    when last.appeal then case last.outcome when 'upheld' then 'restored' else 'kept' end
    else coalesce((
      select case act when 'group.archived' then 'archived' else 'removed' end from audit_events e
      where e.act in ('post.removed', 'discussion.deleted', 'resource.removed', 'group.archived')
        and e.object_id in (last.about_id::text, x.discussion_id::text)
        and e.actor_id = last.resolved_by and e.at = last.resolved_at limit 1), 'none') end,
  last.resolved_at, last.resolved_by
from (select distinct on (case_id) * from reports order by case_id, created_at desc, id desc) last
join (
  select distinct on (case_id) case_id, created_at, appeal from reports
  order by case_id, created_at, id) first
  on first.case_id = last.case_id
join lateral (
  select count(*)::int as count from reports r
  where r.case_id = last.case_id and r.appeal = last.appeal
    and r.resolved_at is not distinct from last.resolved_at) round on true
left join posts x on x.id = last.post_id
left join discussions d on d.id = x.discussion_id
left join resources s on s.id = coalesce(x.resource_id, last.resource_id);

alter table reports alter column case_id set not null,
  add constraint reports_case_id_fkey foreign key (case_id) references cases (id) on delete cascade;
create index reports_of_case on reports (case_id, created_at desc, id desc);

create unique index cases_open_about on cases (subject_id, appeal)
  where (state in ('open', 'in_progress') and subject_kind <> 'messages');
create index cases_of_subject on cases (subject_id, resolved_at desc);
create index cases_open on cases (opened_at, id) where (state in ('open', 'in_progress'));
create index cases_open_by_reports on cases ((-reports_count), opened_at, id)
  where (state in ('open', 'in_progress'));
create index cases_closed on cases (resolved_at desc, id desc) where (resolved_at is not null);
create index cases_in_group on cases (group_id, opened_at, id) where (group_id is not null);
create index cases_of_assignee on cases (assignee_id) where (assignee_id is not null);
create index cases_resolved_by on cases (resolved_by) where (resolved_by is not null);
create index cases_duplicates_of_subject on cases (subject_id) where (duplicate_of is not null);
create index cases_duplicate_of on cases (duplicate_of) where (duplicate_of is not null);

-- A new report joins the open case of its subject, or the case that this is a duplicate of. An appeal reopens
-- the decided case. Otherwise a case is opened. Concurrent reports meet at the unique index.
create function join_case() returns trigger language plpgsql as $$
declare
  subject uuid := coalesce(new.post_id, new.person_id, new.resource_id, new.group_id, new.conversation_id);
begin
  if new.case_id is null and new.appeal then
    update cases set state = 'open', appeal = true, reopened_at = new.created_at, assignee_id = null,
      reports_count = 0, resolved_at = null, resolved_by = null
    where id = (select id from cases where subject_id = subject and state = 'resolved'
        order by resolved_at desc, id desc limit 1)
      and not exists (
        select from cases where subject_id = subject and appeal and state in ('open', 'in_progress'))
    returning id into new.case_id;
  elsif new.case_id is null then
    select original.id into new.case_id from cases same join cases original on original.id = same.duplicate_of
    where same.subject_id = subject and same.duplicate_of is not null
      and original.state in ('open', 'in_progress') limit 1;
  end if;
  if new.case_id is not null then
    update cases set reports_count = reports_count + 1 where id = new.case_id;
  else
    insert into cases (id, subject_kind, subject_id, group_id, appeal, reports_count, opened_at)
    values (new.id,
      case when new.post_id is not null then 'post' when new.conversation_id is not null then 'messages'
        when new.person_id is not null then 'person' when new.resource_id is not null then 'resource'
        when new.group_id is not null then 'group' end,
      subject,
      coalesce(
        (select d.group_id from posts x join discussions d on d.id = x.discussion_id
          where x.id = new.post_id),
        (select s.group_id from resources s where s.id = coalesce(new.resource_id,
          (select x.resource_id from posts x where x.id = new.post_id)))),
      new.appeal, 1, new.created_at)
    on conflict (subject_id, appeal) where (state in ('open', 'in_progress') and subject_kind <> 'messages')
      do update set reports_count = cases.reports_count + 1
    returning id into new.case_id;
  end if;
  return new;
end $$;
create trigger reports_join_case before insert on reports for each row execute function join_case();

-- A case without open reports is closed, one without any is deleted.
create function close_case() returns trigger language plpgsql as $$
declare
  closing uuid := case tg_op when 'DELETE' then old.case_id else new.case_id end;
begin
  delete from cases where id = closing and duplicate_of is null
    and not exists (select from reports where case_id = closing);
  update cases c set resolved_at = last.resolved_at, resolved_by = last.resolved_by, appeal = last.appeal,
    state = case when last.appeal or last.outcome = 'upheld' then 'resolved' else 'rejected' end,
    action = coalesce(c.action, 'none')
  from (select * from reports where case_id = closing and resolved_at is not null
    order by resolved_at desc, id desc limit 1) last
  where c.id = closing and c.resolved_at is null
    and not exists (select from reports where case_id = closing and resolved_at is null);
  return null;
end $$;
create trigger reports_close_case after update of resolved_at on reports for each row
  when (old.resolved_at is null and new.resolved_at is not null) execute function close_case();
create trigger reports_closed_before after insert on reports for each row
  when (new.resolved_at is not null) execute function close_case();
create trigger reports_leave_case after delete on reports for each row execute function close_case();

-- The moderators of the place where the subject is now decide.
create function move_cases() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'posts' then
    update cases set group_id = (select group_id from discussions where id = new.discussion_id)
    where subject_kind = 'post' and subject_id = new.id;
  elsif tg_table_name = 'discussions' then
    update cases c set group_id = new.group_id from posts x
    where x.discussion_id = new.id and c.subject_id = x.id and c.subject_kind = 'post';
  else
    update cases c set group_id = new.group_id
    where (c.subject_kind = 'resource' and c.subject_id = new.id)
      or (c.subject_kind = 'post' and c.subject_id in (select id from posts where resource_id = new.id));
  end if;
  return null;
end $$;
create trigger posts_move_cases after update of discussion_id on posts for each row
  when (old.discussion_id is distinct from new.discussion_id) execute function move_cases();
create trigger discussions_move_cases after update of group_id on discussions for each row
  when (old.group_id is distinct from new.group_id) execute function move_cases();
create trigger resources_move_cases after update of group_id on resources for each row
  when (old.group_id is distinct from new.group_id) execute function move_cases();
