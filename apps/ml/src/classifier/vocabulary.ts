/** What a subject line is about, as far as its words tell. */
export type Topic =
  | 'receipt'
  | 'security_alert'
  | 'payment_due'
  | 'travel_alert'
  | 'invitation'
  | 'appointment'
  /** Of a bank, a practice, a school, an employer or an insurance. */
  | 'document'
  /** Of no use after a while: a delivery that was made, figures of the week, a survey. */
  | 'routine';

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
      ...[
        'booking confirmation',
        'booking confirmed',
        'reservation confirmed',
        'e-ticket',
        'proof of purchase',
      ],
      ...['your purchase', 'ticket de caisse', "preuve d'achat", 'billet électronique'],
      ...[
        'confirmation de réservation',
        'confirmation de votre réservation',
        'confirmation de votre commande',
      ],
      ...['tique', 'tique de compra', 'ticket de compra', 'justificante de pago', 'billete electrónico'],
      ...['confirmación de reserva', 'confirmación de compra', 'confirmación de tu pedido'],
      ...['scontrino', 'conferma di prenotazione', 'conferma della prenotazione', "conferma dell'ordine"],
      ...['biglietto elettronico', 'talão', 'comprovativo', 'comprovante', 'confirmação de compra'],
      ...['confirmação de encomenda', 'confirmação da encomenda', 'confirmação de reserva'],
      ...['confirmação da reserva', 'kassabon', 'boekingsbevestiging', 'reserveringsbevestiging'],
      ...['faktura', 'paragon', 'kvitto', 'kvittering', 'makbuz'], // Polish, Swedish, Danish, Turkish
      ...['чек', 'счёт', 'счет', 'квитанция', 'подтверждение заказа', 'рахунок'], // Russian, Ukrainian
    ],
    inside: [
      ...['rechnung', 'quittung', 'bestellbestätigung', 'zahlungsbestätigung', 'zahlungseingang'], // German
      ...['buchungsbestätigung', 'auftragsbestätigung', 'reservierungsbestätigung', 'kassenbon'],
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
      ...[
        'new device',
        'signed in from',
        'login code',
        'one-time code',
        'access token',
        'api key',
        'ssh key',
      ],
      ...[
        'email address was changed',
        'email was changed',
        'phone number was changed',
        'passkey',
        'password',
      ],
      ...['data breach', 'security incident', 'security notice', 'app password', 'unusual sign-in'],
      ...['nouvel appareil', 'connexion depuis', 'connexion inhabituelle', 'tentative de connexion'],
      ...['adresse e-mail a été modifiée', 'numéro de téléphone a été modifié', 'activité suspecte'],
      ...['mot de passe', 'fuite de données', 'code de connexion', 'double authentification'],
      ...['dispositivo nuevo', 'nuevo dispositivo', 'inicio de sesión', 'intento de acceso', 'contraseña'],
      ...['actividad inusual', 'cambiado su correo', 'cambiado tu correo', 'filtración de datos'],
      ...[
        'nuovo dispositivo',
        'accesso da un',
        'tentativo di accesso',
        'attività insolita',
        'attività sospetta',
      ],
      ...[
        'indirizzo email è stato',
        'indirizzo e-mail è stato',
        'codice di sicurezza',
        'violazione dei dati',
      ],
      ...['novo dispositivo', 'início de sessão', 'tentativa de acesso', 'atividade suspeita'],
      ...['atividade invulgar', 'atividade incomum', 'e-mail foi alterado', 'email foi alterado'],
      ...['código de segurança', 'palavra-passe', 'senha', 'fuga de dados', 'vazamento de dados'],
      ...['nieuw apparaat', 'verdachte activiteit', 'ongebruikelijke activiteit', 'wachtwoord', 'datalek'],
      ...['alert bezpieczeństwa', 'twoje hasło', 'kod weryfikacyjny', 'ditt lösenord', 'verifieringskod'],
      ...['новый вход', 'подозрительная активность', 'ваш пароль', 'пароль изменён', 'код подтверждения'],
    ],
    inside: [
      ...['sicherheitswarnung', 'sicherheitshinweis', 'neue anmeldung', 'passwort wurde geändert'],
      ...['passwort geändert', 'passwort zurücksetzen', 'ihr passwort', 'dein passwort', 'sicherheitscode'],
      ...[
        'bestätigungscode',
        'verifizierungscode',
        'anmeldecode',
        'einmalcode',
        'neues gerät',
        'neuen gerät',
      ],
      ...['anmeldeversuch', 'ungewöhnliche aktivität', 'verdächtige aktivität', 'passwort', 'kennwort'],
      ...['e-mail-adresse wurde geändert', 'telefonnummer wurde geändert', 'datenleck', 'zwei-faktor'],
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
      ...['payment is due', 'amount due', 'final notice', 'unpaid invoice', 'card was declined'],
      ...['retard de paiement', 'impayée', 'échec du paiement', 'pendiente de pago', 'pago vencido'],
      ...['pago fallido', 'pagamento scaduto', 'pagamento non riuscito', 'em atraso', 'pagamento recusado'],
      ...['falha no pagamento', 'aanmaning', 'betaling mislukt'],
      ...['rappel de paiement', 'échéance', 'impayé', 'paiement refusé'],
      ...['pago pendiente', 'pago rechazado', 'vencimiento', 'sollecito', 'scadenza', 'pagamento rifiutato'],
      ...['pagamento pendente', 'vencimento', 'betalingsherinnering', 'termin płatności'],
      ...['просрочен', 'просрочена', 'срок оплаты', 'ödeme hatırlatması'],
    ],
    inside: [
      ...['zahlungserinnerung', 'mahnung', 'zahlung fällig', 'zahlung fehlgeschlagen', 'überfällig'],
      ...['zahlungsaufforderung', 'rücklastschrift'],
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
      ...[
        'accepté :',
        'refusé :',
        'aceptado:',
        'rechazado:',
        'accettato:',
        'rifiutato:',
        'aceite:',
        'recusado:',
      ],
      ...['inbjudan:', 'приглашение:', 'запрошення:', 'davet:'],
    ],
    inside: [
      'einladung:',
      'terminabsage:',
      'zugesagt:',
      'abgesagt:',
      'הזמנה:',
      'دعوة:',
      '招待:',
      '邀请:',
      '邀請:',
      '초대:',
    ],
  },
  appointment: {
    whole: [
      ...['appointment', 'rendez-vous', 'cita', 'cita previa', 'appuntamento', 'visita medica'],
      ...['consulta de', 'sua consulta', 'da consulta', 'consulta médica', 'marcação', 'afspraak', 'termin'],
    ],
    inside: ['terminerinnerung', 'terminbestätigung', 'arzttermin'],
  },
  document: {
    whole: [
      ...['statement', 'document', 'documents', 'test results', 'lab results', 'report card', 'payslip'],
      ...['your contract', 'your policy', 'insurance policy', 'tax assessment', 'tax return', 'prescription'],
      ...['certificate', 'letter from your', 'secure message', 'your new card', 'interest rate'],
      ...['relevé', "résultats d'analyses", 'vos résultats', 'bulletin de notes', 'bulletin de paie'],
      ...['bulletin scolaire', 'trimestre', 'fiche de paie', 'ordonnance', 'attestation', 'contrat'],
      ...["avis d'imposition", 'message dans votre espace', 'extracto', 'sus resultados', 'tus resultados'],
      ...['boletín de notas', 'nómina', 'documento', 'documentos', 'informe médico', 'receta médica'],
      ...['contrato', 'certificado', 'póliza', 'condiciones de su', 'condiciones de tu', 'estratto conto'],
      ...['referto', 'pagella', 'busta paga', 'documenti', 'contratto', 'certificato', 'polizza'],
      ...['ricetta medica', 'condizioni contrattuali', 'extrato', 'seus resultados', 'receita médica'],
      ...['boletim', 'avaliações do', 'apólice', 'preçário', 'recibo de vencimento', 'afschrift'],
      ...['rekeningafschrift', 'uitslag', 'loonstrook', 'polis', 'documenten', 'vertrag', 'police'],
    ],
    inside: [
      ...['kontoauszug', 'befund', 'zeugnis', 'gehaltsabrechnung', 'lohnabrechnung', 'dokument', 'bescheid'],
      ...['bescheinigung', 'in ihrem postfach', 'in deinem postfach', 'arztbrief', 'laborergebnis'],
    ],
  },
  routine: {
    whole: [
      ...[
        'delivered',
        'shipped',
        'has shipped',
        'out for delivery',
        'dispatched',
        'digest',
        'weekly',
        'daily',
      ],
      ...[
        'this week',
        'usage report',
        'survey',
        'feedback',
        'rate your',
        'watchlist',
        'was closed',
        'followers',
      ],
      ...['livré', 'livrée', 'expédié', 'expédiée', 'livraison effectuée', 'hebdomadaire', 'de la semaine'],
      ...['sondage', 'entregado', 'entregada', 'enviado', 'entrega realizada', 'semanal'],
      ...[
        'de la semana',
        'encuesta',
        'tu opinión',
        'consegnato',
        'consegnata',
        'spedito',
        'consegna effettuata',
      ],
      ...[
        'settimanale',
        'della settimana',
        'sondaggio',
        'la tua opinione',
        'entregue',
        'enviada',
        'da semana',
      ],
      ...[
        'inquérito',
        'pesquisa de satisfação',
        'bezorgd',
        'verzonden',
        'wekelijks',
        'van de week',
        'enquête',
      ],
      ...['доставлен', 'доставлена', 'dostarczona', 'levererat', 'levererad', 'teslim edildi'],
    ],
    inside: [
      ...['zugestellt', 'versendet', 'wöchentlich', 'der woche', 'umfrage', 'bewerte', 'merkliste'],
      ...['wochenbericht', '配達完了', '発送', '已送达', '已发货', '배송 완료', 'נמסר', 'تم التسليم'],
    ],
  },
};

/** Words that belong together with others between them, such as the number of a flight. */
const PHRASES: Partial<Record<Topic, [first: string[], second: string[]]>> = {
  travel_alert: [
    [
      'flight',
      'train',
      'flug',
      'zug',
      'vol',
      'vuelo',
      'tren',
      'volo',
      'treno',
      'voo',
      'comboio',
      'vlucht',
      'trein',
    ],
    [
      ...[
        'cancelled',
        'canceled',
        'delayed',
        'rescheduled',
        'annulliert',
        'gestrichen',
        'verspätet',
        'fällt aus',
      ],
      ...['annulé', 'retardé', 'cancelado', 'retrasado', 'cancellato', 'in ritardo', 'atrasado'],
      ...['geannuleerd', 'vertraagd'],
    ],
  ],
  invitation: [
    ['invitation', 'einladung', 'invitación', 'invito', 'convite', 'uitnodiging'],
    [
      ...['updated:', 'aktualisiert:', 'mise à jour :', 'actualizada:', 'aggiornato:', 'atualizado:'],
      ...['gewijzigd:', 'bijgewerkt:'],
    ],
  ],
};
/** Replies on a mailing list, and to a change of code, whatever the language. */
const THREAD = /^(?:re|aw|sv|antw): \[|\(#\d+\)$/;
/** Most characters between the words of a phrase. */
const MAX_GAP = 30;

const escapeForPattern = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const toPattern = ({ whole, inside }: { whole: string[]; inside: string[] }): RegExp =>
  new RegExp(
    `(?<!\\p{L})(?:${whole.map(escapeForPattern).join('|')})(?!\\p{L})|${inside.map(escapeForPattern).join('|')}`,
    'u',
  );

const toAlternatives = (words: string[]): string => `(?:${words.map(escapeForPattern).join('|')})`;

const toPhrasePattern = ([first, second]: [string[], string[]]): RegExp =>
  new RegExp(
    `(?<!\\p{L})${toAlternatives(first)}(?!\\p{L}).{0,${MAX_GAP}}(?<!\\p{L})${toAlternatives(second)}(?!\\p{L})`,
    'u',
  );

const PATTERNS = [
  ...Object.entries(WORDS).map(([topic, words]) => ({ topic: topic as Topic, pattern: toPattern(words) })),
  ...Object.entries(PHRASES).map(([topic, phrase]) => ({
    topic: topic as Topic,
    pattern: toPhrasePattern(phrase),
  })),
  { topic: 'routine' as const, pattern: THREAD },
];

/** Longest beginning of a subject that is searched, in UTF-16 units. */
const MAX_SUBJECT_LENGTH = 500;

/** The topics whose words a subject line holds. */
export const findTopics = (subject: string): Set<Topic> => {
  const text = subject.slice(0, MAX_SUBJECT_LENGTH).normalize('NFC').toLowerCase().replace(/’/g, "'").trim();
  return new Set(PATTERNS.filter(({ pattern }) => pattern.test(text)).map(({ topic }) => topic));
};
