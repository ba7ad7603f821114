-- Names in stored data follow the vocabulary of the code. Keys of the definitions keep their order, because admins
-- edit them as JSON.
update automation_versions set definition = (
  select json_object_agg(key, case key when 'rights' then '"system"' else value end)
  from json_each(definition::json)
) where definition::json ->> 'rights' = 'house';

update outbox set type = case type
  when 'group.heir_asked' then 'group.owner_requested'
  when 'group.heir_declined' then 'group.owner_request_declined'
  when 'group.let_in' then 'group.approved'
  else 'post.approved'
end where type in ('group.heir_asked', 'group.heir_declined', 'group.let_in', 'post.let_in');
update audit_events set act = case act
  when 'group.heir_asked' then 'group.owner_requested'
  when 'group.heir_declined' then 'group.owner_request_declined'
  when 'group.heir_appointed' then 'group.owner_appointed'
  when 'group.door_changed' then 'group.access_changed'
  when 'group.let_in' then 'group.approved'
  else 'post.approved'
end where act in ('group.heir_asked', 'group.heir_declined', 'group.heir_appointed', 'group.door_changed',
  'group.let_in', 'post.let_in');
update notifications set detail = case detail
  when 'heir' then 'owner_requested'
  when 'heir_declined' then 'owner_request_declined'
  else 'approved'
end where detail in ('heir', 'heir_declined', 'let_in');

alter table resources alter column edits_by set default 'owner', drop constraint resources_edits_by_check;
update resources set edits_by = 'owner' where edits_by = 'keeper';
alter table resources add constraint resources_edits_by_check check (edits_by in ('owner', 'members'));

alter table sessions rename column door to kind;
alter table sessions drop constraint sessions_door_check;
update sessions set kind = 'api' where kind = 'wire';
alter table sessions add constraint sessions_kind_check check (kind in ('web', 'api'));
comment on column sessions.kind is 'web: a page, with a cookie; api: an API client, with a user token.';

-- Services that automations call. Definitions are texts as JSON.stringify writes them, so that inside a value the
-- quotes would be escaped.
do $$
declare renamed record;
begin
  for renamed in select * from (values
    ('Groups', 'ask', 'requestToJoin'),
    ('Groups', 'withdraw', 'withdrawRequest'),
    ('Groups', 'refuse', 'declineOwnInvitation'),
    ('Groups', 'setNotices', 'setNotifyLevel'),
    ('Groups', 'admit', 'approveJoinRequest'),
    ('Groups', 'decline', 'declineJoinRequest'),
    ('Groups', 'makeLink', 'createInviteLink'),
    ('Groups', 'handOver', 'transferOwnership'),
    ('Groups', 'remove', 'removeMember'),
    ('Groups', 'bringBack', 'restore'),
    ('Groups', 'cancelOpening', 'cancelScheduledOpening'),
    ('Groups', 'putAtStart', 'addStartItem'),
    ('Groups', 'takeFromStart', 'removeStartItem'),
    ('Groups', 'moveAtStart', 'moveStartItem'),
    ('Groups', 'letIn', 'approvePendingGroup'),
    ('Groups', 'turnDown', 'declinePendingGroup'),
    ('Groups', 'askForHeir', 'requestNewOwner'),
    ('Groups', 'appointHeir', 'appointOwner'),
    ('Groups', 'declineHeir', 'declineOwnerRequest'),
    ('Posts', 'show', 'unhide'),
    ('Posts', 'removeCard', 'removeLinkPreview'),
    ('Posts', 'dropBookmark', 'removeBookmark'),
    ('Resources', 'dropBookmark', 'removeBookmark'),
    ('Collections', 'make', 'create'),
    ('Collections', 'change', 'edit'),
    ('Collections', 'remove', 'delete'),
    ('Collections', 'put', 'addResource'),
    ('Collections', 'take', 'removeResource'),
    ('Collections', 'move', 'moveResource'),
    ('Collections', 'dropCurator', 'removeCurator'),
    ('Comments', 'write', 'add'),
    ('Discussions', 'slow', 'setSlowMode'),
    ('Discussions', 'follow', 'setFollowLevel'),
    ('Resources', 'follow', 'setFollowLevel'),
    ('Drafts', 'drop', 'discard'),
    ('Drafts', 'bringBack', 'restore'),
    ('Conversations', 'add', 'addParticipants'),
    ('Conversations', 'remove', 'removeParticipant'),
    ('Friendships', 'ask', 'sendRequest'),
    ('Friendships', 'accept', 'acceptRequest'),
    ('Friendships', 'decline', 'declineRequest'),
    ('Friendships', 'cancel', 'cancelRequest'),
    ('Friendships', 'takeBack', 'undoRemoval'),
    ('Friendships', 'makeLink', 'createLink'),
    ('Friendships', 'suggestAgain', 'undoDismissal'),
    ('Users', 'changeFilter', 'editFilter'),
    ('Users', 'dropFilter', 'deleteFilter'),
    ('Users', 'takeUpFilter', 'restoreFilter'),
    ('Searches', 'tell', 'setAlert'),
    ('Searches', 'drop', 'delete'),
    ('Searches', 'forget', 'clearRecent'),
    ('Notifications', 'read', 'markRead'),
    ('Notifications', 'unread', 'markUnread'),
    ('Notifications', 'readAll', 'markAllRead'),
    ('Notifications', 'see', 'markAllSeen'),
    ('Notifications', 'mute', 'muteSource'),
    ('Notifications', 'letOut', 'allowSenders'),
    ('Notifications', 'choose', 'setKindChoices'),
    ('Notifications', 'chooseMail', 'setMailLevel'),
    ('Notifications', 'setSendersApart', 'setSenderFolder'),
    ('Announcements', 'make', 'create'),
    ('Announcements', 'takeBack', 'withdraw'),
    ('Announcements', 'saw', 'markSeen')
  ) as it (service, old, new) loop
    update automation_versions set definition = replace(definition,
      format('"service":"%s","method":"%s"', renamed.service, renamed.old),
      format('"service":"%s","method":"%s"', renamed.service, renamed.new));
  end loop;
end $$;
