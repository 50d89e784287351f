/** Emails as lines; see `toCorpus`. */
export const PORTUGUESE = `
nothing personal 405 u primary | Avó Rosa <rosa.lima@correio.example> | Última oportunidade para o doce de abóbora
nothing personal 91 u primary | Tiago Reis <tiago@reis.example> | Bilhetes grátis para domingo
nothing personal 215 u primary | Joana Melo <joana.melo@mail.example> | Oferta pela casa da praia
nothing personal 36 r primary | Rui <rui@descontos.example> | Desconto na oficina do meu tio
large personal 370 r primary | Beatriz Sá <beatriz.sa@uni.example> | Fotografias do batizado | 17
nothing work 78 u primary | Carlos Pinto <c.pinto@empresa.example> | Promoção da Inês: jantar na sexta
nothing doctor 11 r updates | Clínica Mar <noreply@clinicamar.example> | Lembrete da consulta de 10 de junho
nothing doctor 122 u primary | Laboratório <nao-responder@laboratorio.example> | Os seus resultados estão disponíveis
nothing doctor 79 u updates | Saúde <noreply@saude.example> | Nova receita médica
nothing school 18 u primary | Escola Básica <secretaria@escola.example> | Reunião de pais na quinta-feira
nothing school 96 u updates | Agrupamento <noreply@agrupamento.example> | Avaliações do 2.º período
nothing bank 47 r updates | Banco Sul <noreply@bancosul.example> | O seu extrato está disponível
nothing bank 158 u updates | Poupança <naoresponda@poupanca.example> | Alteração ao preçário
notify security 0 u primary | Contas <no-reply@contas.example> | Início de sessão num novo dispositivo
notify security 1 u primary | Banco Sul <seguranca@bancosul.example> | Atividade suspeita na sua conta
nothing security 114 u updates | Loja <noreply@loja.example> | O seu e-mail foi alterado
nothing security 375 u updates | Fórum <noreply@forum.example> | Redefinir a palavra-passe
nothing security 65 r updates | Filmes <info@filmes.example> | Novo dispositivo associado à sua conta
nothing security 490 u promotions | Jogos <newsletter@jogos.example> | Alerta de segurança da sua conta
nothing phishing 2 u primary | Apoio <suporte@banco-confirma.example> | A sua conta vai ser bloqueada
nothing phishing 6 u primary | Encomendas <aviso@taxa-alfandega.example> | Encomenda retida: pague 1,99 €
receipt receipt 9 r updates | Pastelaria Sol <caixa@talao.example> | O seu talão de compra
receipt receipt 235 u updates | Livraria <noreply@livraria.example> | Confirmação de encomenda 8812
receipt invoice 32 r primary | Canalizador Dias <geral@dias.example> | Fatura 2026/12 | 0.2
receipt invoice 86 r updates | Telemóvel <faturas@telemovel.example> | A sua fatura de maio | 0.1
receipt travel 54 r updates | Voar <reservas@voar.example> | Confirmação da reserva TK44 | 0.3
notify travel 0 u primary | Voar <noreply@voar.example> | O seu voo VR 9 foi cancelado
notify payment 3 u primary | Águas <cobranca@aguas.example> | Aviso: fatura em atraso
nothing delivery 0 u updates | Entregas <rastreio@entregas.example> | A sua encomenda chega hoje
clear delivery 59 r updates | Entregas <noreply@entregas.example> | A sua encomenda foi entregue
nothing calendar 43 u updates | Agenda <noreply@agenda.example> | Convite atualizado: reunião de equipa
nothing calendar 24 r primary | Sofia Paz <sofia@paz.example> | Aceite: jantar de anos
clear code 49 r updates | Nuno Gomes <notifications@codehost.example> | Re: [oficina/app] Corrige o menu (#64)
clear list 26 r forums | Trilhos <trilhos@lists.clube.example> | [trilhos] Resumo semanal
clear social 74 u social | Rede <notifications@rede.example> | 8 pessoas viram o seu perfil
clear news 25 u updates | O Jornal <newsletter@ojornal.example> | As notícias da manhã
clear news 90 u updates | Clube <info@clube.example> | Notícias da primavera
clear offer 42 u promotions | Móveis <ofertas@moveis.example> | Fatura zero: -20 % em tudo
clear offer 515 u promotions | Moda <ola@moda.example> | Saldos: últimos dias
clear offer 69 u promotions | Viagens <viagens@rumo.example> | O seu voo para Paris espera por si
`;
