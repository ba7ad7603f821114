import type { ContentFacts, GroupFacts, GroupRole, JoinPolicy, Visibility } from "#community/rules";
import { useRootData } from "../ui/hooks/use-root-data.ts";
import { useTranslate } from "../i18n/index.ts";

type BasicAccess = Pick<GroupFacts, "visibility" | "joinPolicy">;
type FullAccess = BasicAccess & Pick<GroupFacts, "historyPolicy"> & Partial<Pick<GroupFacts, "invitesBy">>;
type AudienceGroup = { name: string; visibility: Visibility; membersCount?: number };

/** Texts about a group's access and audience, shared by all pages that show a group or its content. */
export function useGroupTexts() {
  const t = useTranslate();
  const { community } = useRootData();
  const everyone = community.forMembers
    ? t("Visible to every member of {community}", { community: community.name })
    : t("Visible to everyone, guests too");
  const visibilityNames: Record<Visibility, string> = {
    public: t("Public"),
    private: t("Private"),
    secret: t("Secret"),
  };
  const join: Record<JoinPolicy, string> = {
    open: t("open"),
    request: t("by request"),
    invite: t("invite only"),
  };
  const role: Record<GroupRole, string> = {
    owner: t("Owner"),
    moderator: t("Moderator"),
    member: t("Member"),
  };
  return {
    visibility: visibilityNames,
    role,
    /** Visibility and join policy, such as "Private · ask to join". */
    access: (group: BasicAccess) => `${visibilityNames[group.visibility]} · ${join[group.joinPolicy]}`,
    members: (count: number) => t("{count, plural, one {# member} other {# members}}", { count }),
    /**
     * Names the readers of content in a group; null is the whole community. `among` is `members` for content
     * that only members can read although the group is public.
     */
    audience(group: AudienceGroup | null, among: ContentFacts["audience"] = "group") {
      if (!group) return everyone;
      const { name, visibility, membersCount } = group;
      if (visibility === "public" && among === "group") return everyone;
      if (membersCount === undefined) return t("Visible to the members of {group}", { group: name });
      return t(
        "{count, plural, one {Visible to the only member of {group}} other {Visible to the # members of {group}}}",
        {
          count: membersCount,
          group: name,
        },
      );
    },
    /**
     * Describes visibility, join policy and history policy in one sentence, for owners (`yours`) or readers.
     */
    sentence({ visibility, joinPolicy, historyPolicy, invitesBy }: FullAccess, yours = false) {
      const find = {
        public: community.forMembers
          ? t("Members of the community can find and read it")
          : t("Anyone can find and read it"),
        private: community.forMembers
          ? t("Members of the community can find it; only its members can read it")
          : t("Anyone can find it; only members can read it"),
        secret: t("Only its members know of it"),
      }[visibility];
      const enter = {
        open: t("anyone can join directly"),
        request: yours ? t("you approve join requests") : t("moderators approve join requests"),
        invite: invitesBy === "moderators" ? t("moderators invite people") : t("members invite people"),
      }[joinPolicy];
      return historyPolicy === "shared" || visibility === "public"
        ? t("{find}; {enter}.", { find, enter })
        : t("{find}; {enter}. New members read only what is written after they join.", { find, enter });
    },
  };
}
