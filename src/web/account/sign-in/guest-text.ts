export type GuestText = { kept: string; place: string; field: HTMLTextAreaElement | null };

/** Reads the text of this composer; without one, the first text on the page. */
export function readGuestText(form: HTMLFormElement | null): GuestText {
  const forms = form ? [form] : [...document.querySelectorAll<HTMLFormElement>("form[data-composer]")];
  for (const composer of forms) {
    const field = composer.querySelector("textarea");
    if (field && (form || field.value.trim() !== ""))
      return {
        kept: field.value.trim() === "" ? "" : field.value,
        place: composer.dataset["place"] ?? "",
        field,
      };
  }
  return { kept: "", place: "", field: null };
}
