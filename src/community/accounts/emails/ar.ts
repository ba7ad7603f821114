import type { AccountEmailTexts } from "./account-email-texts.ts";

const notYouNote = "إن لم تكن أنت من فعل ذلك، فعيّن الآن كلمة مرور جديدة: بذلك تنتهي كل الجلسات.";
const ignoreNote = "إن لم تطلب ذلك، فلا يلزمك فعل شيء.";

export const arabic: AccountEmailTexts = {
  hello: "مرحبًا {name}،",
  why: "تصلك هذه الرسالة لأن لديك حسابًا في {community}، أو لأن أحدهم أعطى هذا العنوان هناك.",
  letters: {
    confirm: {
      subject: "أكّد عنوانك في {community}",
      lines: [
        "أهلًا بك في {community}! يرجى تأكيد أن هذا عنوانك. اسمك هناك @{username}. يعمل الرابط مرة واحدة لمدة 48 ساعة.",
        "إن لم تسجّل، فلا تفتح الرابط.",
      ],
      button: "تأكيد العنوان",
    },
    alreadyHere: {
      subject: "لديك حساب بالفعل",
      lines: [
        "أراد شخص ما، ولعله أنت، التسجيل في {community} بهذا العنوان. لديك حساب بالفعل: @{username}.",
        "إن نسيت كلمة المرور فيمكنك تعيين كلمة جديدة.",
      ],
      button: "تعيين كلمة مرور جديدة",
    },
    connectProvider: {
      subject: "اربط {provider} بحسابك",
      lines: [
        "أراد شخص ما، ولعله أنت، تسجيل الدخول إلى {community} عبر {provider} بهذا العنوان. لديك حساب " +
          "بالفعل: @{username}.",
        "إن كنت أنت، فسجّل الدخول كالمعتاد ثم اربط {provider} من الإعدادات، وبعدها يمكنك الدخول به. " +
          "وإن لم تكن أنت، فلا حاجة إلى فعل شيء.",
      ],
      button: "ربط {provider}",
    },
    resetPassword: {
      subject: "تعيين كلمة مرور جديدة",
      lines: [
        "هنا يمكنك تعيين كلمة مرور جديدة للحساب @{username}. يعمل الرابط مرة واحدة لمدة ساعة.",
        ignoreNote,
      ],
      button: "تعيين كلمة مرور جديدة",
    },
    signInLink: {
      subject: "رابط الدخول",
      lines: ["هذا الرابط يُدخلك إلى {community}. يعمل مرة واحدة لمدة 15 دقيقة.", ignoreNote],
      button: "دخول",
    },
    confirmNewAddress: {
      subject: "أكّد عنوانك الجديد",
      lines: [
        "يرجى تأكيد أن {email} هو العنوان الجديد للحساب @{username}. يعمل الرابط مرة واحدة لمدة 48 ساعة.",
        ignoreNote,
      ],
      button: "تأكيد العنوان الجديد",
    },
    addressChanging: {
      subject: "عنوانك على وشك أن يتغيّر",
      lines: ["سيصبح عنوان الحساب @{username} هو {email}، ويسري بعد تأكيده هناك.", notYouNote],
      button: "لم أكن أنا",
    },
    addressChanged: {
      subject: "تغيّر عنوانك",
      lines: [
        "عنوان الحساب @{username} هو الآن {email}. لن نكتب إلى هذا العنوان بعد اليوم.",
        "إن لم تكن أنت من فعل ذلك، فاكتب إلى القائمين على {community}.",
      ],
    },
    passwordChanged: {
      subject: "تغيّرت كلمة المرور",
      lines: ["تغيّرت كلمة مرور الحساب @{username} ({when}). انتهت كل الجلسات الأخرى.", notYouNote],
      button: "لم أكن أنا",
    },
    newDevice: {
      subject: "دخول جديد",
      lines: ["دخل شخص ما باسم @{username} من متصفح لا نعرفه: {device}، {when}.", notYouNote],
      button: "لم أكن أنا",
    },
    secondStepOn: {
      subject: "الدخول الآن بخطوتين",
      lines: [
        "من الآن يطلب الدخول باسم @{username} بكلمة المرور خطوة ثانية: رمزًا من تطبيقك أو مفتاح مرور. " +
          "احفظ رموز الاسترداد في مكان آمن.",
        notYouNote,
      ],
      button: "لم أكن أنا",
    },
    secondStepOff: {
      subject: "أُوقفت الخطوة الثانية",
      lines: ["لم يعد الدخول باسم @{username} يطلب خطوة ثانية.", notYouNote],
      button: "لم أكن أنا",
    },
    passkeyAdded: {
      subject: "أُضيف مفتاح مرور",
      lines: [
        "من الآن فصاعدًا يتيح مفتاح المرور «{device}» تسجيل الدخول باسم @{username} ({when}).",
        "إن لم تكن أنت من فعل ذلك، فأزله الآن من إعداداتك واختر كلمة مرور جديدة.",
      ],
      button: "عرض مفاتيح المرور",
    },
    passkeyRemoved: {
      subject: "أُزيل مفتاح مرور",
      lines: [
        "لم يعد مفتاح المرور «{device}» يتيح تسجيل الدخول باسم @{username} ({when}).",
        "إن لم تكن أنت من فعل ذلك، فراجع الآن مفاتيح المرور في إعداداتك واختر كلمة مرور جديدة.",
      ],
      button: "عرض مفاتيح المرور",
    },
    exportReady: {
      subject: "بياناتك جاهزة",
      lines: ["جُمع كل ما يخصك في {community}. يمكنك تنزيله خلال سبعة أيام؛ ولا يستطيع ذلك غيرك.", ignoreNote],
      button: "تنزيلها",
    },
    pictureTaken: {
      subject: "أُزيلت إحدى صورك",
      lines: [
        "أزال القائمون على {community} صورة من ملفك الشخصي (@{username}).",
        "السبب: {reason}",
        "يمكنك وضع صورة أخرى في أي وقت.",
      ],
    },
    approved: {
      subject: "أهلًا بك في {community}",
      lines: ["تمت الموافقة على حسابك @{username}. يسعدنا وجودك معنا."],
      button: "دخول",
    },
    declined: {
      subject: "تسجيلك في {community}",
      lines: [
        "قرأ القائمون على {community} تسجيلك (@{username}) وقرروا عدم قبوله.",
        "السبب: {reason}",
        "حُذف حسابك مع كل ما ذكرته فيه. ولا شيء يمنعك من التسجيل مرة أخرى.",
      ],
    },
    limited: {
      subject: "حسابك مقيَّد",
      lines: [
        "قيّد القائمون على {community} حسابك @{username}: يمكنك الآن أن تقرأ، ولا تكتب إلا رسائل إلى من تعرفهم هنا.",
        "السبب: {reason}",
        "ينتهي ذلك من تلقاء نفسه: {until}.",
        "يمكنك خلال عشرين يومًا أن تطلب مرة واحدة أن ينظر فيه شخص آخر.",
      ],
      button: "وضع حسابك",
    },
    suspended: {
      subject: "حسابك موقوف",
      lines: [
        "أوقف القائمون على {community} حسابك @{username}: لا يمكنك الدخول الآن.",
        "السبب: {reason}",
        "ينتهي ذلك من تلقاء نفسه: {until}.",
        "يمكنك خلال عشرين يومًا أن تطلب مرة واحدة أن ينظر فيه شخص آخر.",
      ],
      button: "وضع حسابك",
    },
    sanctionOver: {
      subject: "حسابك مفتوح من جديد",
      lines: [
        "لم يعد هناك شيء على حسابك @{username} في {community}: يمكنك أن تقرأ وتكتب كما في السابق.",
        "السبب: {reason}",
      ],
      button: "دخول",
    },
    sanctionStays: {
      subject: "حسابك: يبقى القرار كما كان",
      lines: [
        "طلبت إعادة النظر فيما تقرر بشأن حسابك @{username} في {community}. يبقى القرار كما كان.",
        "السبب: {reason}",
        "ينتهي ذلك من تلقاء نفسه: {until}.",
      ],
    },
  },
};
