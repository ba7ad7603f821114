-- A discussion that was moved stands among what newcomers read first only where it is: its title was shown to readers of the group that it had left.
delete from group_start_items s using discussions d where d.id = s.discussion_id and d.group_id <> s.group_id;

-- What went with its only post kept its place on top, and took it again when it was brought back.
update discussions set pinned_at = null, pinned_by = null, pinned_until = null where state = 'deleted' and pinned_at is not null;
