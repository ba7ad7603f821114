import { CheckField, SelectField, useRootData } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { SettingsSectionProps } from "./settings-data.ts";
import { SettingsForm } from "./settings-form.tsx";

export function PrivacyFields(part: SettingsSectionProps<"privacy">) {
  const t = useTranslate();
  const { community } = useRootData();
  const { privacy } = part.data.account;
  return (
    <SettingsForm {...part} intent="privacy" save={t("Save")}>
      <SelectField
        name="privacy-profile"
        label={t("Who can see your profile")}
        defaultValue={privacy.profile}
        hint={t("Your name and photo are always shown with your posts.")}
      >
        <option value="everyone">
          {community.forMembers ? t("All members") : t("Everyone, including guests")}
        </option>
        <option value="members">{t("Members of this community")}</option>
        <option value="friends">{t("Your friends")}</option>
      </SelectField>
      <SelectField
        name="privacy-messages"
        label={t("Who can message you")}
        defaultValue={privacy.messages}
        hint={t(
          "Messages from strangers are requests until you accept them; friends need no request. With " +
            "“Nobody”, friends cannot start conversations either.",
        )}
      >
        <option value="everyone">{t("All members")}</option>
        <option value="connected">{t("Friends of friends, and people in your groups")}</option>
        <option value="groups">{t("People in your groups")}</option>
        <option value="friends">{t("Friends only")}</option>
        <option value="nobody">{t("Nobody")}</option>
      </SelectField>
      <SelectField
        name="privacy-friendRequests"
        label={t("Who can send you friend requests")}
        defaultValue={privacy.friendRequests}
      >
        <option value="everyone">{t("All members")}</option>
        <option value="connected">{t("Friends of friends, and people in your groups")}</option>
        <option value="nobody">{t("Nobody")}</option>
      </SelectField>
      <CheckField
        name="privacy-showOnline"
        label={t("Show when I am online or typing, and when I was last here")}
        defaultChecked={privacy.showOnline}
      />
      <CheckField
        name="privacy-showReading"
        label={t("Send read receipts and typing in conversations")}
        hint={t("You see these only from people who send theirs too.")}
        defaultChecked={privacy.showReading}
      />
      <CheckField
        name="privacy-showFriendCount"
        label={t("Show members how many friends I have")}
        defaultChecked={privacy.showFriendCount}
      />
      <CheckField
        name="privacy-inDirectory"
        label={t("List me in the member directory")}
        defaultChecked={privacy.inDirectory}
      />
      <CheckField
        name="privacy-inSearchEngines"
        label={t("Let search engines show my profile")}
        hint={t("Only if your profile is visible to everyone.")}
        defaultChecked={privacy.inSearchEngines}
      />
    </SettingsForm>
  );
}
