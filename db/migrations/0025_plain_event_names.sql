-- Names of stored domain events, audited actions and notification details follow the vocabulary of the code.
with renamed (old, new) as (values
  ('post.waits', 'post.pending'),
  ('post.sent_back', 'post.returned'),
  ('post.taken_back', 'post.withdrawn'),
  ('post.shown', 'post.unhidden'),
  ('comment.shown', 'comment.unhidden'),
  ('group.brought_back', 'group.restored'),
  ('group.waits', 'group.pending'),
  ('group.turned_down', 'group.rejected'),
  ('group.admitted', 'group.join_approved'),
  ('group.declined', 'group.join_declined'),
  ('group.invitation_made', 'group.invitation_created'),
  ('group.invitation_refused', 'group.invitation_declined'),
  ('group.opening_announced', 'group.opening_scheduled'),
  ('friend.back', 'friend.removal_undone'),
  ('friend.link_made', 'friend.link_created'),
  ('conversation.kept', 'conversation.participant_changed'),
  ('resource.kept', 'resource.saved'),
  ('bookmark.made', 'bookmark.added'),
  ('bookmark.dropped', 'bookmark.removed'),
  ('collection.made', 'collection.created'),
  ('report.made', 'report.created'),
  ('announcement.made', 'announcement.created'),
  ('announcement.taken-back', 'announcement.withdrawn'),
  ('role.dropped', 'role.deleted'))
update outbox set type = renamed.new, payload = payload || jsonb_build_object('type', renamed.new)
from renamed where type = renamed.old;

with renamed (old, new) as (values
  ('post.sent_back', 'post.returned'),
  ('post.shown', 'post.unhidden'),
  ('group.brought_back', 'group.restored'),
  ('group.turned_down', 'group.rejected'),
  ('group.admitted', 'group.join_approved'),
  ('group.declined', 'group.join_declined'),
  ('group.invitation_made', 'group.invitation_created'),
  ('group.opening_announced', 'group.opening_scheduled'),
  ('group.start_put', 'group.start_item_added'),
  ('group.start_taken', 'group.start_item_removed'),
  ('announcement.made', 'announcement.created'),
  ('announcement.taken-back', 'announcement.withdrawn'),
  ('profile-field.brought-back', 'profile-field.restored'),
  ('person.photo-taken', 'person.photo-removed'),
  ('person.header-taken', 'person.header-removed'),
  ('role.made', 'role.created'),
  ('role.given', 'role.assigned'),
  ('role.taken', 'role.revoked'),
  ('role.dropped', 'role.deleted'),
  ('failure.again', 'failure.retry'),
  ('failure.give-up', 'failure.discard'),
  ('push-template.keep', 'push-template.save'),
  ('push-template.drop', 'push-template.delete'),
  ('push-template.try', 'push-template.test'),
  ('channel.forget', 'channel.delete'),
  ('file.permit', 'file.save-permission'),
  ('file.unpermit', 'file.delete-permission'),
  ('flow.take', 'flow.remove-item'))
update audit_events set act = renamed.new from renamed where act = renamed.old;

update notifications set detail = case detail
  when 'sent_back' then 'returned'
  when 'turned_down' then 'rejected'
  else 'join_approved'
end where detail in ('sent_back', 'turned_down', 'admitted');

update outbox set payload = payload - 'heldId' || jsonb_build_object('pendingPostId', payload -> 'heldId')
where payload ? 'heldId';
