import { assertPasswordAllowed } from "#community/accounts";
import { errorMessage } from "#platform/errors";
import { readServiceAccount } from "#platform/google";
import { type Environment, EnvironmentError } from "#platform/environment";
import { readApnsKey } from "#platform/mobile-push";
import { Refusal } from "#platform/refusal";

type Checked = Pick<Environment, "admin" | "googleCredentials" | "fcmCredentials" | "apns">;

/**
 * Checks values that the environment's schema cannot check: the first admin's password, and the content of
 * key files. Runs before the database is opened and migrated.
 * @throws `EnvironmentError` with one sentence for the first invalid value
 */
export async function assertEnvironmentUsable({
  admin,
  googleCredentials,
  fcmCredentials,
  apns,
}: Checked): Promise<void> {
  if (admin?.password) await assertAdminPassword(admin.email, admin.password);
  if (googleCredentials) readKeyFile("GOOGLE_CREDENTIALS", () => readServiceAccount(googleCredentials));
  if (fcmCredentials) readKeyFile("FCM_CREDENTIALS", () => readServiceAccount(fcmCredentials));
  if (apns) readKeyFile("APNS_KEY", () => readApnsKey(apns.keyFile));
}

async function assertAdminPassword(email: string, password: string): Promise<void> {
  try {
    await assertPasswordAllowed(password, { username: email.split("@")[0]!, email, staff: true });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new EnvironmentError("KITH_ADMIN_PASSWORD", `cannot be used: ${error.message}`);
  }
}

/**
 * Reads a key file.
 * @throws `EnvironmentError` that names the variable with the file's path
 */
export function readKeyFile<T>(variable: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new EnvironmentError(variable, `cannot be used: ${errorMessage(error)}.`);
  }
}
