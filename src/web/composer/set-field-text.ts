/** Sets the text of a field without saving it as a draft. A formatted editor of the field shows it too. */
export function setFieldText(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  field.value = text;
  field.dispatchEvent(new Event("change"));
}
