import type { RelatedGroup, PreviousRules } from "#community/groups";
import { PersonLink, Prose, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import type { GroupContent, GroupData } from "./group-data.ts";
import { MissingOwner } from "./missing-owner.tsx";
import { useGroupTexts } from "../group-texts.ts";
import { Link } from "../../ui/navigation/link.tsx";

/** The group's description, rules, owners and moderators, shown to everybody who may see the group. */
export function GroupAbout({
  data: { group, can },
  content: { before, related, successor },
}: {
  data: GroupData;
  content: GroupContent<"about">;
}) {
  const t = useTranslate();
  const { role, sentence } = useGroupTexts();
  return (
    <div className="grid grid-cols-1 gap-7">
      {group.aboutHtml && (
        <section aria-labelledby="about">
          <h2 id="about" className="mb-2 text-large font-semibold">
            {t("About")}
          </h2>
          <Prose html={group.aboutHtml} />
        </section>
      )}
      {group.rules.length > 0 && (
        <section aria-labelledby="rules">
          <h2 id="rules" className="mb-2 text-large font-semibold">
            {t("Rules")}
          </h2>
          <ol dir="auto" className="list-decimal ps-6 text-read">
            {group.rules.map((rule) => (
              <li key={rule} className="mt-1 ps-1">
                {rule}
              </li>
            ))}
          </ol>
          {group.rulesChangedAt && (
            <p className="mt-2 text-small text-quiet">
              <Rich
                text="Version {version}, changed on <0></0>."
                values={{ version: group.rulesVersion }}
                parts={{ 0: <Time at={group.rulesChangedAt} /> }}
              />{" "}
              {!before && (
                <Link to={urls.group(group.slug, { tab: "about", rules: "all" })} preventScrollReset>
                  {t("Earlier rules")}
                </Link>
              )}
            </p>
          )}
          {before?.map((it) => (
            <EarlierRules key={it.version} it={it} />
          ))}
        </section>
      )}
      <section aria-labelledby="moderators">
        <h2 id="moderators" className="mb-2 text-large font-semibold">
          {t("Moderators")}
        </h2>
        {group.moderators.length === 0 && <p className="text-quiet">{t("No moderators at the moment.")}</p>}
        <ul className="grid grid-cols-1 gap-2">
          {group.moderators.map((person) => (
            <li key={person.id} className="flex items-center gap-3">
              <PersonLink person={person} />
              <span className="text-small text-quiet">{role[person.role]}</span>
            </li>
          ))}
        </ul>
        <div className="mt-3 empty:hidden">
          <MissingOwner groupId={group.id} successor={successor} />
        </div>
      </section>
      <p className="text-quiet">
        {sentence(group)} <Rich text="Created <0></0>." parts={{ 0: <Time at={group.createdAt} /> }} />
      </p>
      {can.report && (
        <p className="text-small">
          <Link to={urls.reportGroup(group.id)} className="text-quiet">
            {t("Report…")}
          </Link>
        </p>
      )}
      {can.inspect && (
        <p className="text-small">
          <Link to={urls.inspectGroup(group.id)} className="text-quiet">
            {t("Inspect group")}
          </Link>
        </p>
      )}
      <RelatedGroups groups={related} />
    </div>
  );
}

/** Groups that readers of this group may like; nothing if there are none. */
function RelatedGroups({ groups }: { groups: RelatedGroup[] }) {
  const t = useTranslate();
  const { access } = useGroupTexts();
  if (groups.length === 0) return null;
  return (
    <section aria-labelledby="related">
      <h2 id="related" className="mb-2 text-large font-semibold">
        {t("Related groups")}
      </h2>
      <ul className="grid gap-3">
        {groups.map((group) => (
          <li key={group.slug}>
            <Link to={urls.group(group.slug)} dir="auto" className="font-semibold">
              {group.name}
            </Link>{" "}
            <span className="text-small text-quiet">{access(group)}</span>
            {group.purpose && (
              <p dir="auto" className="text-quiet">
                {group.purpose}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** An earlier version of the rules, and the date until which it applied. */
function EarlierRules({ it: { version, rules, replacedAt } }: { it: PreviousRules }) {
  const t = useTranslate();
  return (
    <div className="mt-4 text-quiet">
      <h3 className="text-small font-semibold">
        <Rich
          text="Version {version}, until <0></0>"
          values={{ version }}
          parts={{ 0: <Time at={replacedAt} /> }}
        />
      </h3>
      {rules.length === 0 && <p className="text-small">{t("No group rules.")}</p>}
      <ol dir="auto" className="list-decimal ps-6">
        {rules.map((rule) => (
          <li key={rule} className="ps-1">
            {rule}
          </li>
        ))}
      </ol>
    </div>
  );
}
