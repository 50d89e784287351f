/** What a subject line is about, as far as its words tell. */
export type Topic = 'receipt' | 'security_alert' | 'payment_due' | 'travel_alert' | 'invitation';

/**
 * Words by topic and language, in lower case. Those in scripts and languages that join words together (German,
 * Hebrew, Arabic, Chinese, Japanese, Korean) also count inside a longer word.
 */
const WORDS: Record<Topic, { whole: string[]; inside: string[] }> = {
  receipt: {
    whole: [
      ...['receipt', 'invoice', 'order confirmation', 'payment received', 'payment confirmation'], // English
      ...['facture', 'reçu', 'confirmation de commande', 'confirmation de paiement'], // French
      ...['factura', 'recibo', 'confirmación de pedido', 'confirmación de pago'], // Spanish
      ...['fattura', 'ricevuta', "conferma d'ordine", 'conferma di pagamento'], // Italian
      ...['fatura', 'nota fiscal', 'confirmação de pedido'], // Portuguese
      ...['factuur', 'bestelbevestiging', 'betalingsbevestiging'], // Dutch
      ...['faktura', 'paragon', 'kvitto', 'kvittering', 'makbuz'], // Polish, Swedish, Danish, Turkish
      ...['чек', 'счёт', 'счет', 'квитанция', 'подтверждение заказа', 'рахунок'], // Russian, Ukrainian
    ],
    inside: [
      ...['rechnung', 'quittung', 'bestellbestätigung', 'zahlungsbestätigung', 'zahlungseingang'], // German
      ...['חשבונית', 'אישור הזמנה', 'فاتورة', 'إيصال', 'تأكيد الطلب'], // Hebrew, Arabic
      ...[
        '領収書',
        '請求書',
        'ご注文の確認',
        '发票',
        '發票',
        '收据',
        '訂單確認',
        '订单确认',
        '영수증',
        '청구서',
      ],
    ],
  },
  security_alert: {
    whole: [
      ...['security alert', 'new sign-in', 'new login', 'unusual activity', 'suspicious activity'],
      ...['suspicious sign-in', 'password was changed', 'password has been changed', 'account locked'],
      ...['password changed', 'reset your password', 'password reset', 'recovery email', 'recovery phone'],
      ...['verification code', 'security code', 'two-step verification', 'two-factor authentication'],
      ...['recovery codes', 'backup codes', 'verify your account', 'sign-in attempt', 'login attempt'],
      ...['alerte de sécurité', 'nouvelle connexion', 'activité inhabituelle', 'mot de passe modifié'],
      ...['votre mot de passe', 'code de vérification', 'code de sécurité'],
      ...['alerta de seguridad', 'nuevo inicio de sesión', 'actividad sospechosa', 'código de verificación'],
      ...['contraseña cambiada', 'tu contraseña', 'su contraseña', 'código de seguridad'],
      ...['avviso di sicurezza', 'nuovo accesso', 'la tua password', 'codice di verifica'],
      ...['alerta de segurança', 'novo acesso', 'sua senha', 'código de verificação'],
      ...['nieuwe aanmelding', 'je wachtwoord', 'uw wachtwoord', 'verificatiecode'],
      ...['alert bezpieczeństwa', 'twoje hasło', 'kod weryfikacyjny', 'ditt lösenord', 'verifieringskod'],
      ...['новый вход', 'подозрительная активность', 'ваш пароль', 'пароль изменён', 'код подтверждения'],
    ],
    inside: [
      ...['sicherheitswarnung', 'sicherheitshinweis', 'neue anmeldung', 'passwort wurde geändert'],
      ...['passwort geändert', 'passwort zurücksetzen', 'ihr passwort', 'dein passwort', 'sicherheitscode'],
      ...['bestätigungscode', 'verifizierungscode'],
      ...['beveiligingswaarschuwing', 'התראת אבטחה', 'כניסה חדשה', 'הסיסמה שלך', 'קוד אימות'],
      ...['تنبيه أمان', 'تنبيه أمني', 'كلمة المرور', 'رمز التحقق'],
      ...['セキュリティ通知', 'セキュリティ警告', 'パスワード', '確認コード', '安全提醒', '安全警报'],
      ...['验证码', '驗證碼', '密码', '密碼', '보안 알림', '비밀번호', '인증 코드'],
    ],
  },
  payment_due: {
    whole: [
      ...[
        'payment due',
        'due today',
        'due tomorrow',
        'overdue',
        'past due',
        'payment failed',
        'payment declined',
      ],
      ...['rappel de paiement', 'échéance', 'impayé', 'paiement refusé'],
      ...['pago pendiente', 'pago rechazado', 'vencimiento', 'sollecito', 'scadenza', 'pagamento rifiutato'],
      ...['pagamento pendente', 'vencimento', 'betalingsherinnering', 'termin płatności'],
      ...['просрочен', 'просрочена', 'срок оплаты', 'ödeme hatırlatması'],
    ],
    inside: [
      ...['zahlungserinnerung', 'mahnung', 'zahlung fällig', 'zahlung fehlgeschlagen'],
      ...['תשלום נדחה', 'לתשלום עד', 'دفعة مستحقة', 'お支払い期限', '支払期限', '付款提醒', '결제 실패'],
    ],
  },
  travel_alert: {
    whole: [
      ...['flight delayed', 'flight cancelled', 'flight canceled', 'flight change', 'gate change'],
      ...['check-in is open', 'boarding pass', 'trip cancelled', 'train cancelled'],
      ...['vol retardé', 'vol annulé', "carte d'embarquement", 'modification de vol'],
      ...['vuelo retrasado', 'vuelo cancelado', 'tarjeta de embarque'],
      ...['volo in ritardo', 'volo cancellato', "carta d'imbarco", 'voo atrasado', 'voo cancelado'],
      ...['vlucht vertraagd', 'vlucht geannuleerd', 'рейс задержан', 'рейс отменён', 'посадочный талон'],
    ],
    inside: [
      ...['flug verspätet', 'flug gestrichen', 'flugänderung', 'bordkarte', 'zug fällt aus'],
      ...['כרטיס עלייה למטוס', 'بطاقة الصعود', '搭乗券', '欠航', '登机牌', '航班取消', '탑승권'],
    ],
  },
  // The prefixes that calendars put before the title of an event.
  invitation: {
    whole: [
      ...['invitation:', 'updated invitation:', 'accepted:', 'declined:', 'tentative:', 'canceled event:'],
      ...[
        'cancelled event:',
        'updated event:',
        'meeting request:',
        'invitation :',
        'invitation mise à jour :',
      ],
      ...['invitación:', 'evento cancelado:', 'invito:', 'convite:', 'uitnodiging:', 'zaproszenie:'],
      ...['inbjudan:', 'приглашение:', 'запрошення:', 'davet:'],
    ],
    inside: ['einladung:', 'terminabsage:', 'הזמנה:', 'دعوة:', '招待:', '邀请:', '邀請:', '초대:'],
  },
};

const escapeForPattern = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const toPattern = ({ whole, inside }: { whole: string[]; inside: string[] }): RegExp =>
  new RegExp(
    `(?<!\\p{L})(?:${whole.map(escapeForPattern).join('|')})(?!\\p{L})|${inside.map(escapeForPattern).join('|')}`,
    'u',
  );

const PATTERNS = Object.entries(WORDS).map(([topic, words]) => ({
  topic: topic as Topic,
  pattern: toPattern(words),
}));

/** Longest beginning of a subject that is searched, in UTF-16 units. */
const MAX_SUBJECT_LENGTH = 500;

/** The topics whose words a subject line holds. */
export const findTopics = (subject: string): Set<Topic> => {
  const text = subject.slice(0, MAX_SUBJECT_LENGTH).normalize('NFC').toLowerCase().replace(/’/g, "'");
  return new Set(PATTERNS.filter(({ pattern }) => pattern.test(text)).map(({ topic }) => topic));
};
