import { CheckField, SelectField, useRootData } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { SettingsSectionProps } from "../account-settings-page.tsx";
import { SettingsForm } from "./settings-form.tsx";

export function PrivacyFields(part: SettingsSectionProps) {
  const t = useTranslate();
  const { community } = useRootData();
  const { privacy } = part.data.account;
  return (
    <SettingsForm {...part} intent="privacy" save={t("Save")}>
      <SelectField
        name="privacy-profile"
        label={t("Your profile is for")}
        defaultValue={privacy.profile}
        hint={t("Your name and photo stand beside what you write in any case.")}
      >
        <option value="everyone">{community.forMembers ? t("Everyone here") : t("Everyone, guests too")}</option>
        <option value="members">{t("Members of this community")}</option>
        <option value="friends">{t("Your friends")}</option>
      </SelectField>
      <SelectField
        name="privacy-messages"
        label={t("First messages may come from")}
        defaultValue={privacy.messages}
        hint={t(
          "They wait among the requests until you accept them; what friends write does not. With “Nobody”, friends begin nothing new either.",
        )}
      >
        <option value="everyone">{t("Everyone here")}</option>
        <option value="connected">{t("Friends of friends, and people in your groups")}</option>
        <option value="groups">{t("People in your groups")}</option>
        <option value="friends">{t("Friends only")}</option>
        <option value="nobody">{t("Nobody")}</option>
      </SelectField>
      <SelectField name="privacy-friendRequests" label={t("Friend requests may come from")} defaultValue={privacy.friendRequests}>
        <option value="everyone">{t("Everyone here")}</option>
        <option value="connected">{t("Friends of friends, and people in your groups")}</option>
        <option value="nobody">{t("Nobody")}</option>
      </SelectField>
      <CheckField
        name="privacy-showOnline"
        label={t("Others may see when I was here last, and that I am here or writing")}
        defaultChecked={privacy.showOnline}
      />
      <CheckField
        name="privacy-showReading"
        label={t("Those I write with may see when I have read, and that I am writing")}
        hint={t("You see it of those who let it be seen as well.")}
        defaultChecked={privacy.showReading}
      />
      <CheckField
        name="privacy-showFriendCount"
        label={t("Members see how many friends I have")}
        defaultChecked={privacy.showFriendCount}
      />
      <CheckField name="privacy-inDirectory" label={t("I am listed in the directory of members")} defaultChecked={privacy.inDirectory} />
      <CheckField
        name="privacy-inSearchEngines"
        label={t("Search engines may show my profile")}
        hint={t("Only if it is for everyone.")}
        defaultChecked={privacy.inSearchEngines}
      />
    </SettingsForm>
  );
}
