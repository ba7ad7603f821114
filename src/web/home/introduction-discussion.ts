/** Whether a title sounds like the introductions discussion; used if no admin has chosen one. */
export const hasIntroductionTitle = ({ title }: { title: string }) => /introduc|hello|welcome/i.test(title);
