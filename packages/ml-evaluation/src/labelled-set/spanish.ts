/** Emails as lines; see `toCorpus`. */
export const SPANISH = `
nothing personal 390 u primary | Abuela Carmen <carmen.ruiz@correo.example> | Última oportunidad para las croquetas
nothing personal 97 u primary | Pablo Gil <pablo@gil.example> | Entradas gratis para el domingo
nothing personal 220 u primary | Marta Soler <marta.soler@mail.example> | Oferta por el piso: ¿qué hacemos?
nothing personal 38 r primary | Iván <ivan@ofertas.example> | Descuento en el taller de mi primo
nothing personal 74 u primary | Laura Vidal <laura.vidal@uni.example> | Fotos del viaje | 18
nothing work 68 u primary | Jorge Peña <j.pena@empresa.example> | Promoción interna: hablamos mañana
nothing doctor 15 r updates | Clínica Sol <noreply@clinica.example> | Recordatorio de cita: 13 de junio
nothing doctor 125 u primary | Laboratorio <no-responder@laboratorio.example> | Sus resultados ya están disponibles
nothing doctor 80 u updates | Salud <noreply@salud.example> | Tiene un nuevo informe médico
nothing school 19 u primary | Colegio Cervantes <secretaria@colegio.example> | Reunión de padres el jueves
nothing school 93 u updates | Instituto <noreply@instituto.example> | Boletín de notas disponible
nothing bank 48 r updates | Banco Norte <noreply@banconorte.example> | Su extracto mensual está disponible
nothing bank 165 u updates | Caja <no-responder@caja.example> | Cambios en las condiciones de su cuenta
notify security 0 u primary | Cuentas <no-reply@cuentas.example> | Inicio de sesión desde un dispositivo nuevo
notify security 1 u primary | Banco Norte <seguridad@banconorte.example> | Detectamos actividad inusual en su cuenta
nothing security 115 u updates | Tienda <noreply@tienda.example> | Se ha cambiado su correo electrónico
nothing security 370 u updates | Foro <noreply@foro.example> | Restablece tu contraseña
nothing security 63 r updates | Cine <info@cine.example> | Nuevo dispositivo en tu cuenta
nothing security 480 u promotions | Juegos <boletin@juegos.example> | Alerta de seguridad: protege tu cuenta
nothing phishing 2 u primary | Atención al cliente <soporte@banco-verifica.example> | Su cuenta será bloqueada, verifique ahora
nothing phishing 6 u primary | Correos <aviso@paquete-tasa.example> | Paquete retenido: pague 2 €
receipt receipt 9 r updates | Cafetería Luna <caja@tique.example> | Tu tique de compra
receipt receipt 230 u updates | Libros <noreply@libros.example> | Confirmación de pedido 7712
receipt invoice 31 r primary | Fontanería Ros <info@ros.example> | Factura 2026/44 | 0.2
receipt invoice 85 r updates | Telefonía <facturacion@telefonia.example> | Tu factura de mayo | 0.1
receipt travel 52 r updates | Vuela <reservas@vuela.example> | Confirmación de reserva PL9K2 | 0.3
notify travel 0 u primary | Vuela <noreply@vuela.example> | Tu vuelo VL 77 ha sido cancelado
notify payment 3 u primary | Gas Sur <cobros@gassur.example> | Último aviso: recibo pendiente de pago
nothing delivery 0 u updates | Envíos <seguimiento@envios.example> | Tu paquete llega hoy
clear delivery 58 r updates | Envíos <noreply@envios.example> | Tu paquete ha sido entregado
nothing calendar 42 u updates | Calendario <noreply@calendario.example> | Invitación actualizada: reunión de equipo
nothing calendar 21 r primary | Rosa Díaz <rosa@diaz.example> | Aceptado: comida de cumpleaños
clear code 46 r updates | Leo Campos <notifications@codehost.example> | Re: [taller/api] Error al guardar (#53)
clear list 29 r forums | Senderismo <senderismo@lists.club.example> | [senderismo] Resumen semanal
clear social 72 u social | Red <notificaciones@red.example> | 6 personas vieron tu perfil
clear news 23 u updates | El Diario <boletin@eldiario.example> | Lo más leído de la semana
clear news 91 u updates | Asociación <info@asociacion.example> | Noticias de primavera
clear offer 41 u promotions | Muebles <ofertas@muebles.example> | Factura cero: sin IVA este fin de semana
clear offer 510 u promotions | Moda <hola@moda.example> | Rebajas: últimos días
clear offer 67 u promotions | Viajes <viajes@destino.example> | Tu tarjeta de embarque a Roma, desde 25 €
`;
