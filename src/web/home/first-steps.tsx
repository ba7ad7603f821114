import type { SidebarRow } from "#community/discussions";
import { useRootData } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import { soundsLikeIntroductions } from "./introduction-discussion.ts";
import { Link } from "../ui/navigation/link.tsx";

type FirstStep = {
  to: string;
  icon: string;
  name: string;
  why: string;
};

type FirstStepsProps = {
  /** The introductions discussion that an admin has chosen; null without one. */
  introductions: string | null;
  discussions: SidebarRow[];
  canCreate: boolean;
  setsUp: boolean;
};

/** Three first steps for new members; in an empty community, steps to create its first content. */
export function FirstSteps({ introductions, discussions, canCreate, setsUp }: FirstStepsProps) {
  const t = useTranslate();
  const { me } = useRootData();
  const self: FirstStep = {
    to: me ? urls.settings(me.id) : urls.home(),
    icon: "icon-user-round",
    name: t("Complete your profile"),
    why: t("A name, a photo, a sentence in your profile."),
  };
  const { name, found, invite } = useStarterSteps();
  if (discussions.length === 0 && canCreate)
    return <StepList steps={[setsUp ? name : self, found, invite]} />;
  const hello = introductions ?? discussions.find(soundsLikeIntroductions)?.id;
  return (
    <StepList
      steps={[
        {
          to: urls.groups({ tab: "discover" }),
          icon: "icon-users",
          name: t("Find a group"),
          why: t("Join a group to see its discussions here."),
        },
        self,
        {
          to: hello ? urls.discussion(hello) : urls.discussions(),
          icon: "icon-messages-square",
          name: t("Say hello"),
          why: t("Read a few discussions and reply to one."),
        },
      ]}
    />
  );
}

function useStarterSteps(): Record<"name" | "found" | "invite", FirstStep> {
  const t = useTranslate();
  return {
    name: {
      to: urls.siteSettings(),
      icon: "icon-house",
      name: t("Name your community"),
      why: t("Add a tagline, a welcome text and rules."),
    },
    found: {
      to: urls.newGroup(),
      icon: "icon-users",
      name: t("Create the first group"),
      why: t("Discussions are held in groups. Start with one."),
    },
    invite: {
      to: `${urls.friends()}#invite-friends`,
      icon: "icon-user-plus",
      name: t("Invite people"),
      why: t("Create an invite link and send it."),
    },
  };
}

function StepList({ steps }: { steps: FirstStep[] }) {
  const t = useTranslate();
  return (
    <section aria-label={t("First steps")} className="mb-6">
      <ul className="grid gap-3 phone:grid-cols-3">
        {steps.map(({ to, icon, name, why }) => (
          <li key={name} className="panel relative p-4">
            <i className={`icon ${icon} size-5.5 text-accent`} />
            <h2 className="mt-2 font-serif text-read font-semibold">
              <Link to={to} className="text-ink after:absolute after:inset-0">
                {name}
              </Link>
            </h2>
            <p className="text-small text-quiet">{why}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
