import { Form } from "react-router";
import type { Group } from "#community/groups";
import { LIMITS } from "#community/rules";
import { FormErrors, SelectField, SubmitButton, TextArea, TextField, Time } from "../../ui/index.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";

/** Form for the group's description and for what its members may do. */
export function AboutForm({ group }: { group: Group }) {
  const t = useTranslate();
  const byWhom = [
    <option key="members" value="members">
      {t("All members")}
    </option>,
    <option key="moderators" value="moderators">
      {t("Moderators")}
    </option>,
  ];
  return (
    <Form method="post" className="grid gap-5">
      <FormErrors />
      <TextField
        name="name"
        label={t("Name")}
        defaultValue={group.name}
        required
        minLength={LIMITS.groupName.min}
        maxLength={LIMITS.groupName.max}
        dir="auto"
        autoComplete="off"
      />
      <TextField
        name="purpose"
        label={t("Purpose")}
        hint={t("One sentence: what people do here together.")}
        defaultValue={group.purpose}
        maxLength={LIMITS.purpose}
        dir="auto"
        autoComplete="off"
      />
      <TextField
        name="topic"
        label={t("Topic")}
        hint={t("One word, such as “garden”.")}
        defaultValue={group.topic}
        maxLength={40}
        dir="auto"
        autoComplete="off"
      />
      <TextArea
        name="about"
        markdown
        label={t("About")}
        hint={t("For the group's About page; shown to new members. Markdown works.")}
        defaultValue={group.aboutMd}
        maxLength={LIMITS.about}
        rows={8}
        dir="auto"
      />
      <TextArea
        name="rules"
        label={t("Rules")}
        hint={
          group.rulesChangedAt ? (
            <Rich
              text="One per line. Version {version}, changed on <0></0>."
              values={{ version: group.rulesVersion }}
              parts={{ 0: <Time at={group.rulesChangedAt} /> }}
            />
          ) : (
            t("One per line. Community rules always apply.")
          )
        }
        defaultValue={group.rules.join("\n")}
        maxLength={6000}
        rows={6}
        dir="auto"
      />
      <TextArea
        name="questions"
        label={t("Membership questions (optional)")}
        hint={t("One per line, at most three.")}
        defaultValue={group.questions.join("\n")}
        maxLength={1000}
        rows={3}
        dir="auto"
      />
      <SelectField
        name="repliesBy"
        label={t("Who can reply")}
        hint={t(
          "If you choose “Readers with an account”, people can reply and react in a public group " +
            "without joining.",
        )}
        defaultValue={group.repliesBy}
      >
        <option value="members">{t("All members")}</option>
        <option value="readers">{t("Readers with an account")}</option>
      </SelectField>
      <div className="grid gap-5 phone:grid-cols-2">
        <SelectField name="startsBy" label={t("Who can start discussions")} defaultValue={group.startsBy}>
          {byWhom}
        </SelectField>
        <SelectField name="eventsBy" label={t("Who can create events")} defaultValue={group.eventsBy}>
          <option value="members">{t("All members")}</option>
          <option value="established">{t("Established members and moderators")}</option>
          <option value="moderators">{t("Moderators")}</option>
        </SelectField>
        <SelectField name="invitesBy" label={t("Who can invite")} defaultValue={group.invitesBy}>
          {byWhom}
        </SelectField>
      </div>
      <div>
        <SubmitButton name="intent" value="change" busy={t("Saving…")}>
          {t("Save")}
        </SubmitButton>
      </div>
    </Form>
  );
}
