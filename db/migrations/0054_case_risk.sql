-- The queue is sorted by the risk of its cases. Triggers keep the risk with the case, since it depends on more rows
-- than a list of thousands of cases can read.

alter table cases add column risk integer not null default 0,
  add column risk_factors jsonb not null default '{}';
comment on column cases.risk is 'Points, as set_case_risk counts them; of decided cases, those before the decision.';
comment on column cases.risk_factors is
  'What the points are for, as the queue says it. Histories of people count only what happened in the group.';

create index cases_open_by_risk on cases ((-risk), opened_at, id) where (state in ('open', 'in_progress'));
create index cases_open_by_risk_in_group on cases (group_id, (-risk), opened_at, id)
  where (state in ('open', 'in_progress') and group_id is not null);

-- A danger to life counts more than all that can add up for spam (95 points). Categories of the site count as "other".
create function category_risk(category text) returns integer language sql immutable as $$
  select case category when 'self-harm' then 100 when 'illegal' then 70 when 'harassment' then 50
    when 'spam' then 15 when 'off-topic' then 5 else 20 end
$$;

-- Decided reports of a person: how many were upheld, of the latest 50. Moderators see the numbers in the group of the
-- case, so that other groups do not count there, nor do reports about moderators, who must not learn of them.
create function reporter_record(reporter uuid, case_group uuid, out upheld integer, out decided integer)
language sql stable as $$
  select count(*) filter (where outcome = 'upheld' and action is distinct from 'restored'), count(*)
  from (
    select r.outcome, c.action from reports r join cases c on c.id = r.case_id
    where r.reporter_id = reporter and not r.appeal and r.resolved_at is not null
      and (case_group is null or c.group_id = case_group)
      and not exists (
        select from reported_messages x join people p on p.id = x.author_id
        left join memberships m on m.group_id = c.group_id and m.person_id = p.id and m.state = 'member'
        where x.report_id = r.id and x.chosen and (p.site_role <> 'member' or m.role <> 'member'))
    order by r.created_at desc limit 50) latest
$$;

-- Sets the risk of an open case: category, reporters with their record, age of the reported account, its earlier
-- upheld cases, and whether the content is still visible.
create function set_case_risk(changed uuid) returns void language plpgsql as $$
declare
  it cases;
  authors uuid[];
  content record;
  voices record;
  earlier integer;
  recent boolean;
  points integer;
begin
  select * into it from cases where id = changed and state in ('open', 'in_progress');
  if not found then return; end if;
  -- Appeals have points of their own: what else their authors did is no reason to let them wait.
  select array_agg(distinct m.author_id) filter (where not it.appeal) into authors
  from (select id from reports where case_id = it.id and resolved_at is null
    order by created_at desc, id desc limit 100) r
  join reported_messages m on m.report_id = r.id and m.chosen where m.author_id is not null;

  select (array_agg(r.category order by category_risk(r.category) desc, r.category)
      filter (where not r.appeal and r.text_digest is null))[1] as category,
    count(*) filter (where r.reporter_id is not null and not r.appeal) as members,
    count(*) filter (where r.by_guest) as guests,
    bool_or(r.text_digest is not null) as automatic,
    not it.appeal and not bool_or(coalesce(x.state, s.state, 'published') = 'published') as hidden
  into content
  from reports r left join posts x on x.id = r.post_id left join resources s on s.id = r.resource_id
  where r.case_id = it.id and r.resolved_at is null and r.appeal = it.appeal;

  select count(*) filter (where record.decided >= 3 and record.upheld * 4 >= record.decided * 3) as reliable,
    count(*) filter (where record.decided >= 3 and record.upheld * 4 <= record.decided) as unreliable
  into voices
  from (select distinct reporter_id from (
      select reporter_id from reports
      where case_id = it.id and resolved_at is null and not appeal and reporter_id is not null
      order by created_at desc, id desc limit 20) latest) r
  cross join lateral reporter_record(r.reporter_id, it.group_id) record;

  select count(*) into earlier from (
    select distinct c.id from reported_messages m join reports r on r.id = m.report_id
    join cases c on c.id = r.case_id
    where m.author_id = any(authors) and m.chosen and not r.appeal and c.id <> it.id
      and c.state = 'resolved' and c.action is distinct from 'restored'
      and (it.group_id is null or c.group_id = it.group_id)
    limit 3) upheld;
  recent := exists (select from people
    where id = any(authors) and created_at > it.opened_at - interval '7 days');

  points := case when it.appeal then 30
      when content.category is not null then category_risk(content.category) else 15 end
    + least(40, 10 * (content.members - voices.reliable - voices.unreliable)
      + 15 * voices.reliable + 2 * voices.unreliable
      + 5 * content.guests + case when content.automatic then 5 else 0 end)
    + case when recent then 10 else 0 end + 10 * earlier
    - case when content.hidden then 5 else 0 end;
  update cases set risk = greatest(0, points), risk_factors = jsonb_build_object(
      'category', content.category, 'reporters', content.members + content.guests,
      'automatic', coalesce(content.automatic, false), 'reliable', voices.reliable,
      'unreliable', voices.unreliable, 'newAccount', recent, 'upheld', earlier,
      'hidden', coalesce(content.hidden, false))
  where id = it.id;
end $$;

create function set_risk_of_report() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform set_case_risk(old.case_id); end if;
  if tg_op <> 'DELETE' then perform set_case_risk(new.case_id); end if;
  return null;
end $$;
create trigger reports_set_risk after insert or delete on reports for each row
  execute function set_risk_of_report();
create trigger reports_move_risk after update of case_id on reports for each row
  when (old.case_id is distinct from new.case_id) execute function set_risk_of_report();

-- A report gets its content with the authors after its own row.
create function set_risk_of_messages() returns trigger language plpgsql as $$
begin
  perform set_case_risk(case_id) from (
    select distinct r.case_id from added join reports r on r.id = added.report_id where added.chosen) changed;
  return null;
end $$;
create trigger reported_messages_set_risk after insert on reported_messages referencing new table as added
  for each statement execute function set_risk_of_messages();

-- Decisions and reopened cases change the risk of the other open cases of the same authors in the place. Cases that
-- another transaction is deciding are skipped: waiting for each other would be a deadlock.
create function set_risk_of_decision() returns trigger language plpgsql as $$
begin
  perform set_case_risk(new.id);
  perform set_case_risk(id) from (
    select c.id from cases c
    where c.state in ('open', 'in_progress') and c.id <> new.id and (c.group_id is null or c.group_id = new.group_id)
      and (new.state <> 'resolved' or (c.risk_factors->>'upheld')::integer is distinct from 3)
      and c.id in (
        select r.case_id from reports r join reported_messages m on m.report_id = r.id and m.chosen
        where r.resolved_at is null and m.author_id in (
          select x.author_id from reported_messages x join reports own on own.id = x.report_id
          where own.case_id = new.id and x.chosen and x.author_id is not null))
    order by c.id limit 500 for no key update skip locked) other;
  return null;
end $$;
create trigger cases_set_risk after update of resolved_at, group_id on cases for each row
  when ((old.resolved_at is null) <> (new.resolved_at is null) or old.group_id is distinct from new.group_id)
  execute function set_risk_of_decision();

create function set_risk_of_subject() returns trigger language plpgsql as $$
begin
  perform set_case_risk(id) from (
    select id from cases where subject_id = new.id and state in ('open', 'in_progress')
    for no key update skip locked) changed;
  return null;
end $$;
create trigger posts_set_risk after update of state on posts for each row
  when (old.state is distinct from new.state) execute function set_risk_of_subject();
create trigger resources_set_risk after update of state on resources for each row
  when (old.state is distinct from new.state) execute function set_risk_of_subject();

select set_case_risk(id) from cases where state in ('open', 'in_progress');
